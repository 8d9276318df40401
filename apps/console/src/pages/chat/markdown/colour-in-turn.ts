import type { Root } from 'hast';
import { drawInTurn } from './draw-in-turn.ts';

/**
 * Highlights code in a separate task: on a slow machine, loading the grammars and using one for the first time each take long. If the
 * grammars cannot be loaded, for example offline, the callback is not called. The returned function cancels the task.
 */
export function colourInTurn(code: string, language: string, onColoured: (root: Root | null) => void): () => void {
  let isWanted = true;
  void import('./highlight.ts').then(
    ({ highlighted }) => drawInTurn(() => isWanted && onColoured(highlighted(code, language))),
    () => undefined,
  );
  return () => {
    isWanted = false;
  };
}
