# Makes what go-md2man writes fit to be searched and copied: every dash is the one that is typed, examples are indented.
/^\.TH/b
s/\\-/-/g
s/-/\\-/g
s/^\.EX/.RS 2\
.EX/
s/^\.EE/.EE\
.RE/
