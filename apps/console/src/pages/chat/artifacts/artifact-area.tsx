import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { toastError } from '../../../ui/toasts.tsx';
import { focusIfLost } from '../conversation/focus.ts';
import type { Turn } from '../conversation/message-tree.ts';
import type { PanelProps } from './artifact-panel.tsx';
import { type ChosenBlock, ShowArtifact } from './show-artifact.ts';

interface Opened {
  /** Differs each time a button is pressed. */
  readonly key: number;
  readonly block: ChosenBlock;
  readonly Panel: ComponentType<PanelProps>;
}

/** A chat, and beside it what was chosen from it. On narrow pages, the panel covers the chat. */
export function ArtifactArea({ turns, children }: { readonly turns: readonly Turn[]; readonly children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const show = useCallback(
    (block: ChosenBlock) =>
      void import('./artifact-panel.tsx').then(
        ({ ArtifactPanel }) => setOpened((before) => ({ key: (before?.key ?? 0) + 1, block, Panel: ArtifactPanel })),
        toastError,
      ),
    [],
  );
  const button = opened?.block.button;
  useEffect(
    () =>
      button &&
      (() => {
        if (button.isConnected) button.focus({ preventScroll: true });
        else focusIfLost(null);
      }),
    [button],
  );
  return (
    <div className="flex h-full print:block print:h-auto">
      <div className={`flex h-full min-w-0 grow flex-col print:block print:h-auto ${opened ? 'not-print:max-lg:invisible' : ''}`}>
        <ShowArtifact value={show}>{children}</ShowArtifact>
      </div>
      {opened && <opened.Panel key={opened.key} block={opened.block} turns={turns} onClose={() => setOpened(null)} />}
    </div>
  );
}
