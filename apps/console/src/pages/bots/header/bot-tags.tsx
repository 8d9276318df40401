import type { BotItem } from '@parlance/client/types';
import { useMessages } from '../../../messages/index.ts';
import { Tag } from '../../../ui/tag.tsx';

export function ScopeTag({ bot }: { readonly bot: Pick<BotItem, 'shared_scope' | 'status'> }) {
  const { header } = useMessages().bots;
  return (
    <>
      <Tag>{header.scope[bot.shared_scope]}</Tag>
      {bot.status.startsWith('pinned') && <Tag tone="accent">{header.pinned}</Tag>}
    </>
  );
}

export function PublishedTag({ bot }: { readonly bot: Pick<BotItem, 'is_publication'> }) {
  const { header } = useMessages().bots;
  return bot.is_publication && <Tag tone="accent">{header.published}</Tag>;
}

const TONES = { QUEUED: 'neutral', RUNNING: 'accent', SUCCEEDED: 'ok', FAILED: 'bad' } as const;

export function SyncTag({ status }: { readonly status: BotItem['sync_status'] }) {
  const { header } = useMessages().bots;
  return <Tag tone={TONES[status]}>{header.sync[status]}</Tag>;
}
