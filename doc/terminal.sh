#!/bin/sh
# Makes doc/terminal.svg from a real run: types the commands below into a shell in tmux and draws what stands on the screen.
# Needs make build, tmux and jq.
set -eu
cd "$(dirname "$0")/terminal"
llmcall=${LLMCALL_DIR:-$(cd ../.. && pwd)} # the directory that the program is in
socket=llmcall-picture-$$
columns=100

tmux_() { tmux -L "$socket" -f /dev/null "$@"; }
screen() { tmux_ capture-pane -p -S - -t 0 | sed '/^ *$/d'; }

# The shell waits for a command when the last line is its prompt and nothing else.
prompted() { [ "$(screen | tail -n 1 | sed 's/ *$//')" = '$' ]; }
await_prompt() { until prompted; do sleep 0.05; done; }
await_echo() { while prompted; do sleep 0.05; done; }

tmux_ new-session -d -x "$columns" -y 40 \
  "env -i PATH='$llmcall:$PATH' HOME=/nonexistent TERM=\$TERM LC_ALL=C.UTF-8 PS1='\$ ' sh"
trap 'tmux_ kill-server' EXIT
await_prompt
while IFS= read -r command; do
  tmux_ send-keys -l "$command"
  await_echo
  tmux_ send-keys Enter
  await_prompt
done <<'END'
printf 'Say hi\n' | llmcall -p mock
llmcall -m MiniMax-M2.7 --top-k 0 -t 1 'Say hi'; echo $?
llmcall -p mock -m json --schema city.json --validate Paris | jq -c .
llmcall -p mock -m length 'An answer that is cut by its limit'; echo $?
llmcall -p mock -m status-410 'Say hi'; echo $?
llmcall -p mock --quiet --batch prompts.jsonl -o content
END

# The last line is the prompt that waits for more.
screen | sed '$d' | awk -v columns="$columns" '
  {
    full = length($0) >= columns
    gsub(/&/, "\\&amp;"); gsub(/</, "\\&lt;"); gsub(/>/, "\\&gt;")
    sub(/ *$/, "")
    class = /^\$ / ? "typed" : /^llmcall: / ? "said" : wrapped ? class : "out"
    wrapped = full
    line[NR] = sprintf("<text class=\"%s\" x=\"16\" y=\"%d\">%s</text>", class, 44 + NR * 20, $0)
  }
  END {
    width = 32 + columns * 8.43
    height = 64 + NR * 20
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">\n", width, height, width, height
    print "<title>llmcall in a terminal</title>"
    print "<style>text{font:14px ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#d0d7de;white-space:pre}" \
      ".typed{fill:#7ee787}.said{fill:#ffa657}</style>"
    print "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>"
    print "<circle cx=\"20\" cy=\"20\" r=\"6\" fill=\"#ff5f57\"/><circle cx=\"40\" cy=\"20\" r=\"6\" fill=\"#febc2e\"/><circle cx=\"60\" cy=\"20\" r=\"6\" fill=\"#28c840\"/>"
    for (i = 1; i <= NR; i++) print line[i]
    print "</svg>"
  }' >../terminal.svg
