package providers

import (
	"context"
	"maps"
	"net/http"
	"strconv"
)

// maxModelPages is where a list of models that does not come to its end is given up.
const maxModelPages = 1000

// Models asks for the provider's list of models, all its pages. body has the entries of all pages in the first one's envelope.
// Errors are those of Do.
func (c *Client) Models(ctx context.Context) (body []byte, models []Model, err error) {
	var pages [][]byte
	for offset := 0; len(pages) < maxModelPages; {
		text, page, err := c.modelPage(ctx, offset)
		if err != nil {
			return nil, nil, err
		}
		pages, models = append(pages, text), append(models, page.Models...)
		next, more := c.Provider.NextPage(offset, page)
		if !more {
			return MergePages(pages), models, nil
		}
		offset = next
	}
	return nil, nil, &ProtocolError{Provider: c.Provider.Name, Status: http.StatusOK, Message: "list of models does not end: " + strconv.Itoa(maxModelPages) + " pages were read"}
}

// modelPage asks for the page that begins at offset.
func (c *Client) modelPage(ctx context.Context, offset int) ([]byte, ModelPage, error) {
	u := endpoint(c.BaseURL, "/models")
	if query := c.Provider.ModelsQuery(offset); query != nil {
		all := u.Query()
		maps.Copy(all, query)
		u.RawQuery = all.Encode()
	}
	r, err := c.send(ctx, http.MethodGet, u, nil, "application/json")
	if err != nil {
		return nil, ModelPage{}, err
	}
	defer r.Close()
	if r.Stream {
		return nil, ModelPage{}, r.call.protocolError(r.resp, "list of models is an event stream", nil)
	}
	body, err := r.readJSON()
	if err != nil {
		return nil, ModelPage{}, err
	}
	page, err := ParseModels(c.Provider, body)
	if err != nil {
		return nil, ModelPage{}, r.call.protocolError(r.resp, "list of models", err)
	}
	return body, page, nil
}
