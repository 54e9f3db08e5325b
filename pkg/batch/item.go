package batch

import (
	"fmt"
	"io"
	"iter"
	"strconv"
)

// MaxLine is the most bytes of an input line, its end not counted. A longer one is that line's error.
const MaxLine = 64 << 20

// The codes of items that are not asked.
const (
	// InvalidLine is a line that cannot be understood.
	InvalidLine = "invalid_line"
	// DuplicateID is a second line with the same id.
	DuplicateID = "duplicate_id"
)

// Input is where the items come from: a line each, blank lines skipped, of UTF-8 with or without a byte order mark and carriage
// returns. A line is a JSON string, which is a prompt; an object with messages or prompt, any other members of a request, and an
// id in custom_id or id; or a line of an OpenAI Batch file.
type Input struct {
	Reader io.Reader
	// Text takes each line as a prompt of plain text.
	Text bool
	// Shard and Shards take the lines whose number, blank lines counted, is Shard, Shard+Shards, and so on. 0, 0 takes all.
	Shard, Shards int64
	// Answered are the ids that need not be asked again. It is used up by one reading.
	Answered *IDs
}

// Item is a line.
type Item struct {
	// ID is the id that the line gives, a number as it is spelled, or else the line's own number.
	ID   string
	Line int64 // from 1
	// Raw is the line, without its end; nil for one that is too long. Body and Prompt may be slices of it.
	Raw []byte
	// Body is a JSON object of the request's members, as they are in the line; nil for a plain prompt.
	Body []byte
	// Prompt is the text of the last user message; nil for none. It may be empty.
	Prompt []byte
	// Code and Message say why the line is not to be asked. Code is empty for all others.
	Code, Message string
	// Answered says that the output holds the item's answer.
	Answered bool

	given bool  // the line gives the id
	end   int64 // where the line ends
	hash  hash  // of ID
}

func (in *Input) check() error {
	if in.Shards == 0 && in.Shard == 0 {
		return nil
	}
	if in.Shard < 1 || in.Shard > in.Shards {
		return fmt.Errorf("shard %d/%d: want a number from 1 to %d", in.Shard, in.Shards, max(in.Shards, 1))
	}
	return nil
}

// Items reads the input to its end. Its error is the reader's, or that the file is no UTF-8 text at all; nothing follows it.
//
// Ids are compared as text over the whole file, so that all shards agree on which line is a second one. A line without an id has
// the id of its number, also against ids that other lines give: of a line that gives the id "7" and a seventh line without one,
// the later is the duplicate. Lines without ids take no memory, and those with one as much as IDs says; beyond 4,096 stretches
// of blank lines among lines without ids, a blank line is held to have its number for an id.
func (in *Input) Items() iter.Seq2[*Item, error] {
	return func(yield func(*Item, error) bool) {
		if err := in.check(); err != nil {
			yield(nil, err)
			return
		}
		seen := in.Answered
		if seen == nil {
			seen = new(IDs)
		}
		l := newLines(in.Reader, MaxLine)
		if err := l.mark(); err != nil {
			yield(nil, err)
			return
		}
		var numbered runs
		for {
			line, err := l.next(nil)
			switch {
			case err == io.EOF:
				return
			case err != nil && err != errTooLong:
				yield(nil, fmt.Errorf("line %d: %w", l.number, err))
				return
			case err == nil && blank(line):
				numbered.bridge(l.number)
				continue
			}
			item := &Item{Line: l.number, Raw: line, end: l.offset}
			switch {
			case err != nil:
				item.reject(fmt.Errorf("the line is longer than %d MiB", MaxLine>>20))
			case in.Text:
				item.reject(item.readText(line))
			default:
				item.reject(item.readJSON(line))
			}
			if !item.given {
				item.ID = strconv.FormatInt(item.Line, 10)
			}
			item.register(seen, &numbered)
			if in.Shards > 1 && (item.Line-in.Shard)%in.Shards != 0 {
				continue
			}
			if !yield(item, nil) {
				return
			}
		}
	}
}

// reject makes an error the line's.
func (item *Item) reject(err error) {
	if err != nil {
		item.Code, item.Message = InvalidLine, err.Error()
		item.Body, item.Prompt = nil, nil
	}
}

// register finds out whether the item's id was there before, in the output or in an earlier line, and remembers it.
func (item *Item) register(seen *IDs, numbered *runs) {
	item.hash = hashOf(item.ID)
	twice := false
	switch seen.take(item.hash, item.given) {
	case heldBefore:
		item.Answered = true
	case seenBefore:
		twice = true
	default:
		twice = item.given && numbered.names(item.ID)
	}
	if !item.given {
		numbered.add(item.Line)
	}
	if twice && item.Code == "" {
		item.Code, item.Message = DuplicateID, fmt.Sprintf("an earlier line has the id %q too", item.ID)
		item.Body, item.Prompt = nil, nil
	}
}
