import type { SharedChunk } from '@parlance/client/types';
import { type ReactNode, Suspense, use, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { useMessages } from '../../../../messages/index.ts';
import { Citations, numberOf } from './citations.ts';
import { lazyPart } from '../../../../ui/lazy-part.tsx';

const ChunkPopover = lazyPart(() => import('./chunk-popover.tsx'), 'ChunkPopover');

/** `[^1]` in the text of a reply: opens the chunk of knowledge. */
export function CitationMark({ rank }: { readonly rank: number }) {
  const { chat } = useMessages();
  const sources = use(Citations);
  const chunk = sources.find((each) => each.rank === rank);
  if (!chunk) return <sup className="text-xs text-muted">{rank}</sup>;
  const number = numberOf(sources, chunk);
  return (
    <ChunkButton
      chunk={chunk}
      label={chat.citation(number, chunk.source_name, chunk.page_number)}
      look="mx-0.5 inline-flex h-5 min-w-5 cursor-pointer items-center justify-center rounded-[5px] bg-accent-soft px-1 align-text-bottom text-xs font-medium text-accent hover:underline"
    >
      {number}
    </ChunkButton>
  );
}

/** The sources below a reply. */
export function SourceList({ chunks }: { readonly chunks: readonly SharedChunk[] }) {
  const { chat } = useMessages();
  if (chunks.length === 0) return null;
  return (
    <div className="mt-3">
      <p className="text-xs font-medium text-muted">{chat.sources}</p>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {chunks.map((chunk) => (
          <li key={chunk.rank} className="max-w-full">
            <ChunkButton
              chunk={chunk}
              look="flex min-h-8 max-w-full cursor-pointer items-center gap-1.5 rounded-sm border border-line px-2 text-start text-xs hover:bg-surface max-sm:min-h-11"
            >
              <span className="font-medium text-accent">
                <span className="sr-only">{chat.source} </span>
                {numberOf(chunks, chunk)}
              </span>
              <span className="min-w-0 truncate">{chunk.source_name}</span>
              {chunk.page_number !== null && <span className="shrink-0 text-muted">{chat.page(chunk.page_number)}</span>}
            </ChunkButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ChunkButton({
  chunk,
  label,
  look,
  children,
}: {
  readonly chunk: SharedChunk;
  readonly label?: string;
  readonly look: string;
  readonly children: ReactNode;
}) {
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={trigger}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={look}
        onPress={() => setOpen(!isOpen)}
      >
        {children}
      </Button>
      {isOpen && (
        <Suspense>
          <ChunkPopover chunk={chunk} trigger={trigger} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
