import { PostgreSQL } from '@codemirror/lang-sql';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

const { parser } = PostgreSQL.language;

const CLASSES: Readonly<Record<string, string>> = {
  Keyword: 'sql-keyword',
  Type: 'sql-keyword',
  Bool: 'sql-keyword',
  Null: 'sql-keyword',
  String: 'sql-string',
  Number: 'sql-number',
  LineComment: 'sql-comment',
  BlockComment: 'sql-comment',
};

function decorate({ state }: EditorView): DecorationSet {
  const marks: ReturnType<Decoration['range']>[] = [];
  parser.parse(state.doc.toString()).iterate({
    enter: ({ name, from, to }) => {
      const look = CLASSES[name];
      if (look !== undefined && to > from) marks.push(Decoration.mark({ class: look }).range(from, to));
    },
  });
  return Decoration.set(marks, true);
}

/** Parses the whole statement at each change, because statements are short. */
export const sqlHighlighting = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }
    update({ docChanged, view }: ViewUpdate): void {
      if (docChanged) this.decorations = decorate(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
