import { createContext } from 'react';
import type { ArtifactKind } from './artifact-kind.ts';

/** A block of code whose button was pressed. */
export interface ChosenBlock {
  readonly kind: ArtifactKind;
  /** The code so far, if the block is still being written. */
  readonly code: string;
  readonly button: HTMLElement;
}

/** Shows a block of code beside the chat. Null where there is no chat to show it beside. */
export const ShowArtifact = createContext<((block: ChosenBlock) => void) | null>(null);
