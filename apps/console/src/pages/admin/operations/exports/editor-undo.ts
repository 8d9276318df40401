import { Annotation, type ChangeSet, type Extension, StateField, Transaction } from '@codemirror/state';
import { type Command, keymap } from '@codemirror/view';

/** Typing within this time is undone in one step. */
const STEP_MILLIS = 600;
const MOST_STEPS = 200;

interface Step {
  readonly back: ChangeSet;
  /** The time of the last change in epoch milliseconds; 0 if no further change may join the step. */
  readonly time: number;
}

interface Steps {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

type Target = Parameters<Command>[0] | { readonly state: Transaction['state']; readonly dispatch: (transaction: Transaction) => void };

const direction = Annotation.define<'undo' | 'redo'>();

const steps = StateField.define<Steps>({
  create: () => ({ done: [], undone: [] }),
  update({ done, undone }, transaction) {
    if (!transaction.docChanged) return { done, undone };
    const back = transaction.changes.invert(transaction.startState.doc);
    switch (transaction.annotation(direction)) {
      case 'undo':
        return { done: done.slice(0, -1), undone: [...undone, { back, time: 0 }] };
      case 'redo':
        return { done: [...done, { back, time: 0 }], undone: undone.slice(0, -1) };
    }
    const time = transaction.annotation(Transaction.time) ?? 0;
    const last = done.at(-1);
    if (last && time - last.time < STEP_MILLIS)
      return { done: [...done.slice(0, -1), { back: back.compose(last.back), time }], undone: [] };
    return { done: [...done, { back, time }].slice(-MOST_STEPS), undone: [] };
  },
});

const move =
  (way: 'undo' | 'redo') =>
  ({ state, dispatch }: Target): boolean => {
    const step = state.field(steps)[way === 'undo' ? 'done' : 'undone'].at(-1);
    if (step) dispatch(state.update({ changes: step.back, annotations: direction.of(way), scrollIntoView: true }));
    return true;
  };

export const undo = move('undo');
export const redo = move('redo');

/** Undo and redo. The browser's own do not work, because the editor replaces its content. */
export const undoing: Extension = [
  steps,
  keymap.of([
    { key: 'Mod-z', run: undo, preventDefault: true },
    { key: 'Mod-y', run: redo, preventDefault: true },
    { key: 'Mod-Shift-z', run: redo, preventDefault: true },
  ]),
];
