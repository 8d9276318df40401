import type { Root } from 'hast';
import { drawInTurn } from './draw-in-turn.ts';

/**
 * Finds the colours of code, in a task of its own: on a slow machine, loading the grammars takes as long as using one for the first time.
 * Without them, for example offline, nothing is called. The answer cancels it.
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
