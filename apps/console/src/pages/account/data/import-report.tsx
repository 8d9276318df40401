import type { ConversationImport } from '@parlance/client/types';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { formatNumber } from '../../../messages/format.ts';
import { reasonText } from '../../../messages/reason-texts.ts';
import { Table } from '../../../ui/table.tsx';
import { byReason } from './conversation-import.ts';

/** What would be or was imported, and what is skipped. */
export function ImportReport({ report }: { readonly report: ConversationImport }) {
  const { data: texts } = useAccountMessages();
  const { dry_run, source, imported, unchanged, deleted, is_complete, left_out, left_out_in_all } = report;
  return (
    <>
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium">{dry_run ? texts.found(texts.sources[source], imported) : texts.imported(imported)}</p>
        {unchanged > 0 && <p>{texts.unchanged(unchanged)}</p>}
        {deleted > 0 && <p>{texts.deleted(deleted)}</p>}
        {!is_complete && <p>{dry_run ? texts.foundPart : texts.incomplete}</p>}
        {left_out.length === 0 && <p>{texts.allTaken}</p>}
      </div>
      {left_out.length > 0 && (
        <>
          <p className="text-sm font-medium">{texts.leftOut}</p>
          <Table
            label={texts.leftOut}
            rows={byReason(left_out)}
            keyOf={({ reason }) => reason}
            columns={[
              { id: 'reason', name: texts.reason, cell: ({ reason, detail }) => reasonText(reason, detail) },
              {
                id: 'conversations',
                name: texts.inConversations,
                align: 'end',
                cell: ({ conversations }) => formatNumber(conversations),
              },
              { id: 'times', name: texts.times, align: 'end', cell: ({ times }) => formatNumber(times) },
            ]}
          />
          {left_out_in_all > left_out.length && (
            <p className="text-xs text-muted">{texts.leftOutPart(formatNumber(left_out.length), formatNumber(left_out_in_all))}</p>
          )}
        </>
      )}
    </>
  );
}
