import type { SharedChunk } from '@parlance/client/types';
import type { RefObject } from 'react';
import { Dialog, Heading } from 'react-aria-components';
import { useMessages } from '../../../../messages/index.ts';
import { chunkText } from './chunk-text.ts';
import { PopoverFrame } from '../../../../ui/popover-frame.tsx';
import { OutsideLink } from '../../markdown/outside-link.tsx';

interface Props {
  readonly chunk: SharedChunk;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** A chunk of knowledge with its source, beside the button that opened it. */
export function ChunkPopover({ chunk, trigger, onClose }: Props) {
  const { chat } = useMessages();
  const { source, source_name, page_number } = chunk;
  const { heading, text } = chunkText(chunk);
  return (
    <PopoverFrame trigger={trigger} onClose={onClose} className="w-112 max-w-[calc(100vw-1.5rem)]">
      <Dialog className="flex max-h-96 flex-col outline-none">
        <div className="border-b border-line px-4 py-2.5">
          <Heading slot="title" level={3} className="text-sm font-semibold">
            {source_name}
          </Heading>
          <p className="text-xs text-muted">
            {[page_number === null ? '' : chat.page(page_number), heading ?? ''].filter(Boolean).join(' · ')}
            {source !== source_name && (
              <span className="block truncate">
                {/^https?:/.test(source) ? <OutsideLink address={source}>{source}</OutsideLink> : source}
              </span>
            )}
          </p>
        </div>
        <p className="overflow-y-auto px-4 py-3 text-xs whitespace-pre-wrap" tabIndex={0} dir="auto">
          {text}
        </p>
      </Dialog>
    </PopoverFrame>
  );
}
