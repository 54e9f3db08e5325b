package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/request"
	"github.com/llmcall/llmcall/pkg/schema"
)

// params gives the members that the parameter flags set, in the order in which each was first given. Of a flag given twice
// the last value counts, but for those that collect.
func (s *session) params() ([]request.Param, error) {
	var params []request.Param
	for i, p := range s.o.params {
		at := slices.IndexFunc(params, func(q request.Param) bool { return q.Name == p.member })
		if at < 0 {
			at = len(params)
			params = append(params, request.Param{Name: p.member})
		}
		value, err := s.param(p, s.o.params[:i+1])
		if err != nil {
			return nil, err
		}
		params[at].Value = value
	}
	if s.o.schema == "" {
		return params, nil
	}
	src, err := s.in.json("--schema", s.o.schema)
	if err != nil {
		return nil, err
	}
	format, err := request.SchemaFormat(request.Source{Name: src.name, Data: src.data}, s.o.schemaName, s.o.strict)
	if err != nil {
		return nil, err
	}
	if raw, ok := schema.FromResponseFormat(format); ok {
		if _, err := schema.Compile(src.name, raw); err != nil && !errors.Is(err, schema.ErrUnsupported) {
			return nil, usageError{msg: err.Error()}
		}
	}
	return append(params, request.Param{Name: "response_format", Value: format}), nil
}

// param gives the JSON of one setting; those up to it are given for the kinds that collect.
func (s *session) param(p setting, upTo []setting) ([]byte, error) {
	switch p.kind {
	case asNumber:
		return request.Number(p.member, p.value)
	case asInteger:
		return request.Integer(p.member, p.value)
	case asBool:
		return request.Bool(p.member, p.value)
	case asText:
		text, err := request.CheckText(p.flag, []byte(p.value))
		return request.String(string(text)), err
	case asList:
		return request.Strings(valuesOf(upTo, p.flag)), nil
	case asBias:
		return request.LogitBias(valuesOf(upTo, p.flag))
	case asChoice:
		return request.ToolChoice(p.value)
	case asFormat:
		if slices.Contains(findFlag(flagTable, p.flag[2:]).values, p.value) {
			return request.FormatType(p.value), nil
		}
	}
	src, err := s.in.json(p.flag, p.value)
	if err != nil {
		return nil, err
	}
	if p.kind == asTools {
		return request.Tools(request.Source{Name: src.name, Data: src.data})
	}
	return request.JSON(request.Source{Name: src.name, Data: src.data}, "{")
}

func valuesOf(settings []setting, flag string) (values []string) {
	for _, s := range settings {
		if s.flag == flag {
			values = append(values, s.value)
		}
	}
	return values
}

// fillRecommended adds the publisher's sampling advice for the model where the request says nothing.
func (s *session) fillRecommended(r request.Result) ([]byte, error) {
	advice := s.row.Recommended(r.Model)
	if len(advice) == 0 {
		s.say.warn("--recommended: no advice is known for model " + r.Model)
		return r.Body, nil
	}
	o, err := object.Parse(r.Body)
	if err != nil {
		return nil, err
	}
	var filled []string
	for _, a := range advice {
		if _, ok := o.Get(a.Name); !ok {
			o.Set(a.Name, a.Value)
			filled = append(filled, a.Name+" "+string(a.Value))
		}
	}
	if len(filled) > 0 {
		s.say.detail("recommended: " + strings.Join(filled, ", "))
	}
	return o.Append(nil), nil
}
