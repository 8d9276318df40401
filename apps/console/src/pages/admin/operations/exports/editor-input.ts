import { EditorSelection, type Extension, type SelectionRange } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/** The other end of the range that a deletion without a selection removes. */
const DELETIONS: Readonly<Record<string, (view: EditorView, cursor: SelectionRange) => SelectionRange>> = {
  deleteContentBackward: (view, cursor) => view.moveByChar(cursor, false),
  deleteContentForward: (view, cursor) => view.moveByChar(cursor, true),
  deleteWordBackward: (view, cursor) => view.moveByGroup(cursor, false),
  deleteWordForward: (view, cursor) => view.moveByGroup(cursor, true),
  deleteSoftLineBackward: (view, cursor) => view.moveToLineBoundary(cursor, false),
  deleteSoftLineForward: (view, cursor) => view.moveToLineBoundary(cursor, true),
};

const INSERTED: Readonly<Record<string, string>> = { insertParagraph: '\n', insertLineBreak: '\n' };

function replace(view: EditorView, { from, to }: SelectionRange, insert: string): void {
  view.dispatch({
    changes: { from, to, insert },
    selection: EditorSelection.cursor(from + insert.length),
    scrollIntoView: true,
    userEvent: insert === '' ? 'delete' : 'input.type',
  });
}

/**
 * Line breaks, deletions and typing over a selection, without the browser's own editing: when it joins lines, it adds style attributes,
 * which the content security policy forbids.
 */
export const editorInput: Extension = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.isComposing || view.composing) return false;
    const { main } = view.state.selection;
    const deletion = DELETIONS[event.inputType];
    const text = INSERTED[event.inputType] ?? (event.inputType === 'insertText' && !main.empty ? event.data : null);
    if (text !== null) replace(view, main, text);
    else if (deletion) {
      const end = main.empty ? deletion(view, main).head : main.to;
      replace(view, main.empty ? EditorSelection.range(main.head, end) : main, '');
    } else return false;
    event.preventDefault();
    return true;
  },
});
