import { EditorState, Transaction } from '@codemirror/state';
import { redo, undo, undoing } from './editor-undo.ts';

/** An editor without a page. */
class Editor {
  state = EditorState.create({ doc: '', extensions: undoing });
  readonly dispatch = (transaction: Transaction) => void (this.state = transaction.state);

  get text(): string {
    return this.state.doc.toString();
  }

  type(insert: string, time: number): void {
    const { length } = this.state.doc;
    this.dispatch(this.state.update({ changes: { from: length, insert }, annotations: Transaction.time.of(time) }));
  }
}

describe('undo in the SQL editor', () => {
  const editor = () => {
    const its = new Editor();
    its.type('SEL', 10_000);
    its.type('ECT', 10_100);
    its.type(' 1', 20_000);
    return its;
  };

  it('undoes quickly typed text in one step', () => {
    const its = editor();
    undo(its);
    expect(its.text).toBe('SELECT');
    undo(its);
    expect(its.text).toBe('');
  });
  it('does nothing before the first change', () => {
    const its = new Editor();
    undo(its);
    redo(its);
    expect(its.text).toBe('');
  });
  it('redoes undone changes step by step', () => {
    const its = editor();
    undo(its);
    undo(its);
    redo(its);
    expect(its.text).toBe('SELECT');
    redo(its);
    expect(its.text).toBe('SELECT 1');
    undo(its);
    expect(its.text).toBe('SELECT');
  });
  it('keeps the last 200 steps', () => {
    const its = new Editor();
    for (let step = 1; step <= 201; step++) its.type('x', step * 1_000);
    for (let step = 1; step <= 201; step++) undo(its);
    expect(its.text).toBe('x');
  });
  it('forgets undone changes when the user types', () => {
    const its = editor();
    undo(its);
    its.type(' 2', 30_000);
    redo(its);
    expect(its.text).toBe('SELECT 2');
  });
});
