import type { ErasureReceipt } from '@parlance/client/types';
import { useEffect, useRef } from 'react';
import { formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { CopyButton } from '../../../../ui/copy-button.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';

type Erased = ErasureReceipt['erased'][number];

/** What each service has removed for an erased user. */
export function Receipt({ receipt }: { readonly receipt: ErasureReceipt }) {
  const { users: texts } = useAdminMessages().admin.people;
  const text = useRef<HTMLParagraphElement>(null);
  // The focused button has disappeared.
  useEffect(() => text.current?.focus(), []);
  const columns: readonly Column<Erased>[] = [
    { id: 'service', name: texts.service, cell: ({ service }) => service },
    { id: 'state', name: texts.state, cell: ({ status }) => <Tag tone={status === 'done' ? 'ok' : 'warn'}>{texts.states[status]}</Tag> },
    {
      id: 'removed',
      name: texts.removed,
      cell: ({ removed }) => removedText(removed) || <span className="text-muted">{texts.nothing}</span>,
    },
  ];
  return (
    <div className="flex flex-col items-start gap-4">
      <p ref={text} tabIndex={-1}>
        {texts.receiptText(formatTime(receipt.erased_at))} {receipt.erased.some(({ status }) => status === 'pending') && texts.pendingText}
      </p>
      <div className="w-full">
        <Table label={texts.receiptLabel} columns={columns} rows={receipt.erased} keyOf={({ service }) => service} />
      </div>
      <CopyButton text={JSON.stringify(receipt, null, 2)} label={texts.copyReceipt} />
    </div>
  );
}

const removedText = (removed: Readonly<Record<string, number>>): string =>
  Object.entries(removed)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${kind.replaceAll('_', ' ')}: ${formatNumber(count)}`)
    .join(' · ');
