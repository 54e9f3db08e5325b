# fish completion for llmcall, made by llmcall --completion fish.

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
    sh -c 'config=${LLMCALL_CONFIG:-${XDG_CONFIG_HOME:-$HOME/.config}/llmcall/config.json}
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
cat "$file" 2>/dev/null' llmcall $which
end

complete -c llmcall -f
complete -c llmcall -s s -l system -x -d 'system message'
complete -c llmcall -l system-file -r -F -d 'system message from a file (- is stdin)'
complete -c llmcall -l developer -x -d 'developer message'
complete -c llmcall -s f -l file -r -F -d 'add a file\'s text to the prompt (repeatable)'
complete -c llmcall -l image -r -F -d 'attach an image (repeatable)'
complete -c llmcall -l audio -r -F -d 'attach a sound (repeatable)'
complete -c llmcall -l no-stdin -d 'leave stdin alone, as inside a shell loop'
complete -c llmcall -s u -l user -x -d 'a user message (repeatable)'
complete -c llmcall -l assistant -x -d 'an assistant message (repeatable)'
complete -c llmcall -l tool-result -x -d 'the result of a tool call (repeatable)'
complete -c llmcall -s M -l messages -r -F -d 'messages as JSON or NDJSON (repeatable)'
complete -c llmcall -s r -l request -r -F -d 'start from a whole request body'
complete -c llmcall -l profile -x -d 'start from a named body of the config file'
complete -c llmcall -l set -x -d 'set a member: JSON, else a string (repeatable)'
complete -c llmcall -l set-string -x -d 'set a member to a string (repeatable)'
complete -c llmcall -l unset -x -d 'remove a member (repeatable)'
complete -c llmcall -s t -l temperature -x -d 'sampling temperature'
complete -c llmcall -l top-p -x -d 'nucleus sampling, 0 to 1'
complete -c llmcall -l top-k -x -d 'sample among the N likeliest tokens'
complete -c llmcall -l max-tokens -x -d 'longest reply, in tokens'
complete -c llmcall -l max-completion-tokens -x -d 'the same under its newer name'
complete -c llmcall -l stop -x -d 'end the reply before TEXT (repeatable)'
complete -c llmcall -l seed -x -d 'seed for a repeatable sample'
complete -c llmcall -l n -x -d 'number of choices (1)'
complete -c llmcall -l presence-penalty -x -d 'penalty for tokens seen, -2 to 2'
complete -c llmcall -l frequency-penalty -x -d 'penalty for tokens seen often, -2 to 2'
complete -c llmcall -l repetition-penalty -x -d 'factor for tokens seen, 1 is none'
complete -c llmcall -l do-sample -d 'sample; =false is greedy'
complete -c llmcall -l reasoning-effort -x -a 'low medium high' -d 'how long to think: low, medium or high'
complete -c llmcall -l thinking -d 'turn thinking on; =false turns it off'
complete -c llmcall -l logprobs -d 'return log probabilities'
complete -c llmcall -l top-logprobs -x -d 'log probabilities of the N likeliest tokens'
complete -c llmcall -l logit-bias -x -d 'bias of a token id, -100 to 100 (repeatable)'
complete -c llmcall -l tools -r -F -d 'tools the model may call'
complete -c llmcall -l tool-choice -x -a 'auto none required' -d 'auto, none, required or a tool\'s name'
complete -c llmcall -l parallel-tool-calls -d 'allow several tool calls at once'
complete -c llmcall -l response-format -r -F -a 'text json_object' -d 'text, json_object or JSON'
complete -c llmcall -l schema -r -F -d 'JSON Schema for the reply to follow'
complete -c llmcall -l schema-name -x -d 'name of the schema (its title, else response)'
complete -c llmcall -l strict -d 'send strict with the schema'
complete -c llmcall -l stream -d 'print the reply as it comes (on a terminal)'
complete -c llmcall -l stream-options -r -F -d 'options of a stream'
complete -c llmcall -l chat-template-kwargs -r -F -d 'arguments of the chat template'
complete -c llmcall -l recommended -d 'fill sampling from the publisher\'s advice'
complete -c llmcall -s o -l output -x -a 'content json ndjson message tool-calls reasoning table' -d 'form of the result, listed below (content)'
complete -c llmcall -s q -l query -x -d 'print what a GJSON path finds in the JSON'
complete -c llmcall -s x -l extract -d 'print only the first fenced code block'
complete -c llmcall -s 0 -l null -d 'end each choice by NUL, not by a newline'
complete -c llmcall -l no-newline -d 'never add a newline'
complete -c llmcall -l reasoning -x -a 'hide stderr stdout' -d 'show reasoning: hide, stderr or stdout (hide)'
complete -c llmcall -l strip-think -d 'count a leading <think> block as reasoning'
complete -c llmcall -l output-file -r -F -d 'write there, only if the result is whole'
complete -c llmcall -l allow-incomplete -d 'exit 0 though the token limit cut the reply'
complete -c llmcall -l validate -d 'check the reply against the schema; exit 4'
complete -c llmcall -l validate-retries -x -d 'ask again N times with the errors (0)'
complete -c llmcall -l usage -d 'print token counts on stderr'
complete -c llmcall -l meta -r -F -d 'write facts about the call as JSON'
complete -c llmcall -l error-format -x -a 'text json' -d 'text or json on stderr (text)'
complete -c llmcall -s v -l verbose -d 'show request, headers and times on stderr'
complete -c llmcall -l quiet -d 'no warnings, notices or hints'
complete -c llmcall -s p -l provider -x -a '(__llmcall_providers)' -d 'provider, see --providers (infercom)'
complete -c llmcall -s m -l model -x -a '(__llmcall_models)' -d 'model, also PROVIDER:ID'
complete -c llmcall -l base-url -x -d 'address of the API, as https://host/v1'
complete -c llmcall -s H -l header -x -d 'add or replace a header (repeatable)'
complete -c llmcall -l api-key-file -r -F -d 'read the key from a file'
complete -c llmcall -l api-key-command -x -d 'read the key from what sh -c COMMAND prints'
complete -c llmcall -l models -d 'list model ids (-o json, -o table)'
complete -c llmcall -l providers -d 'list providers (-o json)'
complete -c llmcall -l config -r -F -d 'config file (~/.config/llmcall/config.json)'
complete -c llmcall -l lint -x -a 'default strict off' -d 'rule check: default, strict or off (default)'
complete -c llmcall -l cacert -r -F -d 'trust these certificates too (PEM)'
complete -c llmcall -l cert -r -F -d 'client certificate (PEM)'
complete -c llmcall -l key -r -F -d 'private key of --cert (PEM)'
complete -c llmcall -l insecure-http -d 'send a key over plain http'
complete -c llmcall -l mock -r -F -d 'script of replies for -p mock'
complete -c llmcall -l retries -x -d 'tries after the first (2); 0 is none'
complete -c llmcall -l retry-max-wait -x -d 'longest wait between tries (60s)'
complete -c llmcall -l timeout -x -d 'longest time for the whole call (none)'
complete -c llmcall -l connect-timeout -x -d 'longest time to connect (10s)'
complete -c llmcall -l idle-timeout -x -d 'longest time without data (10m)'
complete -c llmcall -l record -r -F -d 'append the exchanges to a file'
complete -c llmcall -l replay -r -F -d 'answer from a recorded file, offline'
complete -c llmcall -l replay-speed -x -d 'replay\'s pace: 1 as recorded, 0 at once (0)'
complete -c llmcall -l batch -r -F -d 'answer each line of a file'
complete -c llmcall -l batch-format -x -a 'json lines' -d 'json, or lines of plain text (json)'
complete -c llmcall -l concurrency -x -d 'requests at a time (8)'
complete -c llmcall -l rpm -x -d 'most requests a minute (no limit)'
complete -c llmcall -l ordered -d 'answers in the order of the lines'
complete -c llmcall -l resume -d 'go on where --output-file ends'
complete -c llmcall -l shard -x -d 'only each Nth line, from the Kth'
complete -c llmcall -l max-failures -x -d 'stop after more than N failures (no limit)'
complete -c llmcall -l failed -r -F -d 'collect the lines that failed'
complete -c llmcall -l dry-run -d 'print the request body, send nothing'
complete -c llmcall -l curl -d 'print the call as a curl command, send nothing'
complete -c llmcall -l completion -x -a 'bash zsh fish' -d 'print the completion script of a shell'
complete -c llmcall -s h -l help -d 'this text'
complete -c llmcall -l version -d 'version, commit, Go and platform'
