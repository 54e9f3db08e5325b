# bash completion for llmcall, made by llmcall --completion bash.

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
    *[\'\"\$\`\\]*) ;;
    -p|--provider|--base-url|--config|--api-key-file) ((i + 2 < ${#words[@]})) && which+=("${words[i]}=${words[++i]}") ;;
    -p?*|--provider=?*|--base-url=?*|--config=?*|--api-key-file=?*) which+=("${words[i]}") ;;
    esac
  done
  _llmcall_offer < <(sh -c 'config=${LLMCALL_CONFIG:-${XDG_CONFIG_HOME:-$HOME/.config}/llmcall/config.json}
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
cat "$file" 2>/dev/null' llmcall ${which[@]+"${which[@]}"})
}

# Completes the value of flag $1.
_llmcall_value() {
  case $1 in
    -s|--system) return 0 ;;
    --system-file) _llmcall_files; return 0 ;;
    --developer) return 0 ;;
    -f|--file) _llmcall_files; return 0 ;;
    --image) _llmcall_files; return 0 ;;
    --audio) _llmcall_files; return 0 ;;
    -u|--user) return 0 ;;
    --assistant) return 0 ;;
    --tool-result) return 0 ;;
    -M|--messages) _llmcall_files; return 0 ;;
    -r|--request) _llmcall_files; return 0 ;;
    --profile) return 0 ;;
    --set) return 0 ;;
    --set-string) return 0 ;;
    --unset) return 0 ;;
    -t|--temperature) return 0 ;;
    --top-p) return 0 ;;
    --top-k) return 0 ;;
    --max-tokens) return 0 ;;
    --max-completion-tokens) return 0 ;;
    --stop) return 0 ;;
    --seed) return 0 ;;
    --n) return 0 ;;
    --presence-penalty) return 0 ;;
    --frequency-penalty) return 0 ;;
    --repetition-penalty) return 0 ;;
    --reasoning-effort) _llmcall_offer <<<$'low\nmedium\nhigh'; return 0 ;;
    --top-logprobs) return 0 ;;
    --logit-bias) return 0 ;;
    --tools) _llmcall_files; return 0 ;;
    --tool-choice) _llmcall_offer <<<$'auto\nnone\nrequired'; return 0 ;;
    --response-format) _llmcall_offer <<<$'text\njson_object'; _llmcall_files; return 0 ;;
    --schema) _llmcall_files; return 0 ;;
    --schema-name) return 0 ;;
    --stream-options) _llmcall_files; return 0 ;;
    --chat-template-kwargs) _llmcall_files; return 0 ;;
    -o|--output) _llmcall_offer <<<$'content\njson\nndjson\nmessage\ntool-calls\nreasoning\ntable'; return 0 ;;
    -q|--query) return 0 ;;
    --reasoning) _llmcall_offer <<<$'hide\nstderr\nstdout'; return 0 ;;
    --output-file) _llmcall_files; return 0 ;;
    --validate-retries) return 0 ;;
    --meta) _llmcall_files; return 0 ;;
    --error-format) _llmcall_offer <<<$'text\njson'; return 0 ;;
    -p|--provider) _llmcall_offer < <(llmcall --providers 2>/dev/null | sed 's/ .*//'); return 0 ;;
    -m|--model) _llmcall_models; return 0 ;;
    --base-url) return 0 ;;
    -H|--header) return 0 ;;
    --api-key-file) _llmcall_files; return 0 ;;
    --api-key-command) return 0 ;;
    --config) _llmcall_files; return 0 ;;
    --lint) _llmcall_offer <<<$'default\nstrict\noff'; return 0 ;;
    --cacert) _llmcall_files; return 0 ;;
    --cert) _llmcall_files; return 0 ;;
    --key) _llmcall_files; return 0 ;;
    --mock) _llmcall_files; return 0 ;;
    --retries) return 0 ;;
    --retry-max-wait) return 0 ;;
    --timeout) return 0 ;;
    --connect-timeout) return 0 ;;
    --idle-timeout) return 0 ;;
    --record) _llmcall_files; return 0 ;;
    --replay) _llmcall_files; return 0 ;;
    --replay-speed) return 0 ;;
    --batch) _llmcall_files; return 0 ;;
    --batch-format) _llmcall_offer <<<$'json\nlines'; return 0 ;;
    --concurrency) return 0 ;;
    --rpm) return 0 ;;
    --shard) return 0 ;;
    --max-failures) return 0 ;;
    --failed) _llmcall_files; return 0 ;;
    --completion) _llmcall_offer <<<$'bash\nzsh\nfish'; return 0 ;;
    *) return 1 ;;
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
    rest=${rest#"${rest%%[![:space:]]*}"}
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
    lead=${word%%=*}= cur=${word#*=}
    _llmcall_value "${word%%=*}"
  elif [[ $word == -[^-]* ]] && lead=${word:0:2} cur=${word:2} && _llmcall_value "$lead"; then
    :
  elif [[ $word == -* ]]; then
    lead='' cur=$word
    _llmcall_offer <<<"$_llmcall_flags"
  fi
  # readline puts the replies in place of the last part only.
  lead=${word%"$part"}
  for i in "${!COMPREPLY[@]}"; do
    COMPREPLY[i]=${COMPREPLY[i]#"$lead"}
  done
}

_llmcall_flags='
--system
--system-file
--developer
--file
--image
--audio
--no-stdin
--user
--assistant
--tool-result
--messages
--request
--profile
--set
--set-string
--unset
--temperature
--top-p
--top-k
--max-tokens
--max-completion-tokens
--stop
--seed
--n
--presence-penalty
--frequency-penalty
--repetition-penalty
--do-sample
--reasoning-effort
--thinking
--logprobs
--top-logprobs
--logit-bias
--tools
--tool-choice
--parallel-tool-calls
--response-format
--schema
--schema-name
--strict
--stream
--stream-options
--chat-template-kwargs
--recommended
--output
--query
--extract
--null
--no-newline
--reasoning
--strip-think
--output-file
--allow-incomplete
--validate
--validate-retries
--usage
--meta
--error-format
--verbose
--quiet
--provider
--model
--base-url
--header
--api-key-file
--api-key-command
--models
--providers
--config
--lint
--cacert
--cert
--key
--insecure-http
--mock
--retries
--retry-max-wait
--timeout
--connect-timeout
--idle-timeout
--record
--replay
--replay-speed
--batch
--batch-format
--concurrency
--rpm
--ordered
--resume
--shard
--max-failures
--failed
--dry-run
--curl
--completion
--help
--version
'

complete -F _llmcall llmcall
