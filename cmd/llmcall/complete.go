package main

import (
	"fmt"
	"strings"
)

// completion gives the completion script of a shell, made from the flag table.
func completion(shell string) string {
	script := map[string]func() string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[shell]()
	return strings.ReplaceAll(script, "@MODELS@", strings.TrimSpace(modelsScript))
}

// modelsScript is what all three scripts run by sh to get model ids, its arguments the flags that say which provider is
// meant. It holds no single quote, so that each shell can quote it by these. A list is kept for a day, or until the config
// file is newer; one that cannot be had within 2 s, whatever a key command does, leaves the old one in use. Ids that a
// shell would have to quote are left out: they come from the network and end up on a command line.
const modelsScript = `
config=${LLMCALL_CONFIG:-${XDG_CONFIG_HOME:-$HOME/.config}/llmcall/config.json}
dir=${XDG_CACHE_HOME:-$HOME/.cache}/llmcall
sum=$(printf "%s|" "$@" "$LLMCALL_PROVIDER" "$LLMCALL_BASE_URL" "$config" | cksum)
file=$dir/models-${sum%% *}
if [ -z "$(find "$file" -mmin -1440 2>/dev/null)" ] || [ "$config" -nt "$file" ]; then
  if ids=$(
    llmcall "$@" --models --retries 0 --timeout 2 </dev/null 2>/dev/null & call=$!
    (sleep 2; kill -9 $call) >/dev/null 2>&1 & clock=$!
    wait $call; code=$?
    kill $clock
    exit $code
  ) 2>/dev/null; then
    ids=$(printf "%s\n" "$ids" | LC_ALL=C grep -v "[^A-Za-z0-9._:/@+=,%-]")
    { umask 077; mkdir -p "$dir" && printf "%s\n" "$ids" >"$file.$$" && mv -f "$file.$$" "$file"; } 2>/dev/null ||
      { printf "%s\n" "$ids"; exit; }
  fi
fi
cat "$file" 2>/dev/null
`

// repeats tells whether the flag may stand more than once, as its help line says.
func (f *flag) repeats() bool { return strings.Contains(f.help, "(repeatable)") }

// spellings are the forms in which the flag can be typed.
func (f *flag) spellings() []string {
	if f.short == "" {
		return []string{"--" + f.name}
	}
	return []string{"-" + f.short, "--" + f.name}
}

func bashCompletion() string {
	var names, cases strings.Builder
	for i := range flagTable {
		f := &flagTable[i]
		names.WriteString("    --" + f.name + "\n")
		if f.arg == "" {
			continue
		}
		var do []string
		switch f.name {
		case "provider":
			do = append(do, "_llmcall_offer < <(llmcall --providers 2>/dev/null | sed 's/ .*//')")
		case "model":
			do = append(do, "_llmcall_models")
		}
		if len(f.values) > 0 {
			do = append(do, "_llmcall_offer <<<$'"+strings.Join(f.values, `\n`)+"'")
		}
		if f.file != 0 {
			do = append(do, "_llmcall_files")
		}
		fmt.Fprintf(&cases, "    %s) %s ;;\n", strings.Join(f.spellings(), "|"), strings.Join(append(do, "return 0"), "; "))
	}
	return fmt.Sprintf(`# bash completion for llmcall, made by llmcall --completion bash.

# Offers the lines of stdin that begin with what is typed.
_llmcall_offer() {
  local line
  while IFS= read -r line; do
    [[ -n $line && $line == "$cur"* ]] && COMPREPLY+=("$lead$line")
  done
}

_llmcall_files() {
  local line
  # readline does it best; bash before 4 cannot be asked for that here.
  compopt -o default 2>/dev/null && return
  while IFS= read -r line; do COMPREPLY+=("$lead$line"); done < <(compgen -f -- "$cur")
}

_llmcall_models() {
  local i which=()
  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    case ${words[i]} in
    *[\'\"\$\%[2]s\\]*) ;;
    -p|--provider|--base-url|--config|--api-key-file) ((i + 2 < ${#words[@]})) && which+=("${words[i]}=${words[++i]}") ;;
    -p?*|--provider=?*|--base-url=?*|--config=?*|--api-key-file=?*) which+=("${words[i]}") ;;
    esac
  done
  _llmcall_offer < <(sh -c '@MODELS@' llmcall ${which[@]+"${which[@]}"})
}

# Completes the value of flag $1.
_llmcall_value() {
  case $1 in
%[1]s    *) return 1 ;;
  esac
}

_llmcall() {
  local words=() word cur lead='' rest=$COMP_LINE part=${COMP_WORDS[COMP_CWORD]} i
  COMPREPLY=()
  # readline splits words at = and : too; what no blank parts belongs together.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if ((i > 0)) && [[ $rest != [[:space:]]* ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    rest=${rest#"${rest%%%%[![:space:]]*}"}
    rest=${rest#"$word"}
  done
  word=${words[${#words[@]}-1]}
  case $part in [=:]) part='' ;; esac
  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    [[ ${words[i]} == -- ]] && return
  done

  cur=$word
  if ((${#words[@]} > 2)) && _llmcall_value "${words[${#words[@]}-2]}"; then
    :
  elif [[ $word == --*=* ]]; then
    lead=${word%%%%=*}= cur=${word#*=}
    _llmcall_value "${word%%%%=*}"
  elif [[ $word == -[^-]* ]] && lead=${word:0:2} cur=${word:2} && _llmcall_value "$lead"; then
    :
  elif [[ $word == -* ]]; then
    lead='' cur=$word
    _llmcall_offer <<<"$_llmcall_flags"
  fi
  # readline puts the replies in place of the last part only.
  lead=${word%%"$part"}
  for i in "${!COMPREPLY[@]}"; do
    COMPREPLY[i]=${COMPREPLY[i]#"$lead"}
  done
}

_llmcall_flags='
%[3]s'

complete -F _llmcall llmcall
`, cases.String(), "`", strings.ReplaceAll(names.String(), "    ", ""))
}

func zshCompletion() string {
	var specs strings.Builder
	for i := range flagTable {
		f := &flagTable[i]
		var forms []string
		for _, s := range f.spellings() {
			switch {
			case f.arg != "" && len(s) == 2:
				s += "+"
			case f.arg != "":
				s += "="
			}
			forms = append(forms, s)
		}
		names := forms[0]
		if len(forms) > 1 {
			names = "{" + strings.Join(forms, ",") + "}"
		}
		before := "(" + strings.Join(f.spellings(), " ") + ")"
		if f.repeats() {
			before = "*"
		}
		fmt.Fprintf(&specs, "    '%s'%s%s \\\n", before, names, zshQuote("["+zshDescription(f.help)+"]"+f.zshValue()))
	}
	return `#compdef llmcall
# zsh completion for llmcall, made by llmcall --completion zsh.

_llmcall_providers() {
  local -a names
  names=(${${(f)"$(llmcall --providers 2>/dev/null)"}%% *})
  compadd -a "$@" names
}

_llmcall_models() {
  local -a which ids
  local i
  for ((i = 2; i < CURRENT; i++)); do
    case ${words[i]} in
      -p|--provider|--base-url|--config|--api-key-file) ((i + 1 < CURRENT)) && which+=("${words[i]}=${(Q)words[++i]}") ;;
      -p?*|--provider=?*|--base-url=?*|--config=?*|--api-key-file=?*) which+=("${(Q)words[i]}") ;;
      --) break ;;
    esac
  done
  ids=(${(f)"$(sh -c '@MODELS@' llmcall $which)"})
  compadd -a "$@" ids
}

_llmcall_values_or_files() {
  _alternative "values:value:($*)" 'files:file:_files'
}

_llmcall() {
  _arguments -s -S : \
` + specs.String() + `    '*:prompt:{false}'
}

if [[ $funcstack[1] == _llmcall ]]; then
  _llmcall "$@"
else
  compdef _llmcall llmcall
fi
`
}

// zshValue is the part of an _arguments spec that says how the flag's value is completed.
func (f *flag) zshValue() string {
	if f.arg == "" {
		return ""
	}
	action := " "
	switch {
	case f.name == "provider":
		action = "_llmcall_providers"
	case f.name == "model":
		action = "_llmcall_models"
	case len(f.values) > 0 && f.file != 0:
		action = " _llmcall_values_or_files " + strings.Join(f.values, " ")
	case len(f.values) > 0:
		action = "(" + strings.Join(f.values, " ") + ")"
	case f.file != 0:
		action = "_files"
	}
	return ":" + strings.NewReplacer("'", "", ":", "", "[", "", "]", "").Replace(f.arg) + ":" + action
}

func zshDescription(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(s)
}

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func fishCompletion() string {
	var lines strings.Builder
	for i := range flagTable {
		f := &flagTable[i]
		lines.WriteString("complete -c llmcall")
		if f.short != "" {
			lines.WriteString(" -s " + f.short)
		}
		lines.WriteString(" -l " + f.name)
		switch {
		case f.arg != "" && f.file != 0:
			lines.WriteString(" -r -F")
		case f.arg != "":
			lines.WriteString(" -x")
		}
		switch {
		case f.name == "provider":
			lines.WriteString(" -a '(__llmcall_providers)'")
		case f.name == "model":
			lines.WriteString(" -a '(__llmcall_models)'")
		case len(f.values) > 0:
			lines.WriteString(" -a '" + strings.Join(f.values, " ") + "'")
		}
		lines.WriteString(" -d '" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(f.help) + "'\n")
	}
	return `# fish completion for llmcall, made by llmcall --completion fish.

function __llmcall_providers
    llmcall --providers 2>/dev/null | string replace -r ' .*' ''
end

function __llmcall_models
    set -l words (commandline -opc)
    set -l which
    for i in (seq 2 (count $words))
        switch $words[$i]
            case -p --provider --base-url --config --api-key-file
                test $i -lt (count $words); and set -a which $words[$i]=$words[(math $i + 1)]
            case '-p?*' '--provider=?*' '--base-url=?*' '--config=?*' '--api-key-file=?*'
                set -a which $words[$i]
        end
    end
    sh -c '@MODELS@' llmcall $which
end

complete -c llmcall -f
` + lines.String()
}
