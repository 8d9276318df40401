import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { editorInput } from './editor-input.ts';
import { undoing } from './editor-undo.ts';
import { sqlHighlighting } from './sql-highlighting.ts';

interface SqlEditorProps {
  readonly label: string;
  /**
   * Replaces the editor's content whenever it is a new object. It is not updated while the user types, because typing is faster than
   * rendering.
   */
  readonly text: { readonly sql: string };
  readonly onChange: (sql: string) => void;
  readonly onRun: () => void;
}

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--color-code)', color: 'var(--color-text)', fontSize: '0.8125rem', maxHeight: '24rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6', minHeight: '7rem' },
  '.cm-content': { caretColor: 'var(--color-text)', padding: '0.75rem 0' },
  '.cm-gutters': { backgroundColor: 'var(--color-code)', color: 'var(--color-muted)', border: 'none', paddingInlineStart: '0.25rem' },
  '.sql-keyword': { color: 'var(--color-series-1)', fontWeight: '600' },
  '.sql-string': { color: 'var(--color-ok)' },
  '.sql-number': { color: 'var(--color-series-2)' },
  '.sql-comment': { color: 'var(--color-muted)' },
});

/** CodeMirror in a shadow root: there its styles are allowed by the content security policy. The tab key leaves the editor. */
export function SqlEditor({ label, text, onChange, onRun }: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const content = useRef(text.sql);
  const calls = useRef({ onChange, onRun });
  useEffect(() => {
    calls.current = { onChange, onRun };
  });

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: content.current,
        extensions: [
          keymap.of([{ key: 'Mod-Enter', run: () => (calls.current.onRun(), true) }]),
          editorInput,
          undoing,
          lineNumbers(),
          sqlHighlighting,
          theme,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            content.current = state.doc.toString();
            calls.current.onChange(content.current);
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, [label]);

  useEffect(() => {
    const view = editor.current!;
    const { doc } = view.state;
    if (doc.toString() !== text.sql) view.dispatch({ changes: { from: 0, to: doc.length, insert: text.sql } });
  }, [text]);

  return (
    <div
      ref={host}
      className="overflow-hidden rounded-sm border border-control focus-within:border-accent focus-within:outline-2 focus-within:outline-accent"
    />
  );
}
