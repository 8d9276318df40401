import type { Share } from '@parlance/client/types';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { formatList, formatTime } from '../../messages/format.ts';
import { type SharingMessages, useSharingMessages } from '../../messages/sharing-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { Button } from '../../ui/button.tsx';
import { focusAfterDialog } from '../../ui/dialogs/after-dialog.ts';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';

interface ShareTableProps {
  readonly label: string;
  readonly shares: readonly Share[];
  /** Whether the table names the chats. False in the dialog of one chat. */
  readonly hasChats: boolean;
  readonly empty: React.ReactNode;
}

/** The share links of the user's chats, each with a button that revokes it. */
export function ShareTable({ label, shares, hasChats, empty }: ShareTableProps) {
  const texts = useSharingMessages();
  const [revoking, setRevoking] = useState<Share | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const revoke = async () => {
    if (revoking === null) return;
    const { conversation_id: conversationId, share_id: shareId } = revoking;
    await parlance.api.delete('/conversation/{conversationId}/shares/{shareId}', { path: { conversationId, shareId } });
    toast(texts.revoked);
    await queryClient.invalidateQueries({ queryKey: ['shares'] });
    focusAfterDialog(list.current);
  };
  return (
    <div ref={list} tabIndex={-1} className="outline-none">
      <Table
        label={label}
        rows={shares}
        keyOf={({ share_id }) => share_id}
        columns={columnsOf(texts, hasChats, setRevoking)}
        empty={empty}
      />
      <ConfirmDialog
        title={texts.revokeTitle}
        text={texts.revokeText}
        confirmLabel={texts.revoke}
        isOpen={revoking !== null}
        onClose={() => setRevoking(null)}
        onConfirm={revoke}
      />
    </div>
  );
}

const columnsOf = (texts: SharingMessages, hasChats: boolean, onRevoke: (share: Share) => void): Column<Share>[] => [
  {
    id: 'chat',
    name: hasChats ? texts.chat : texts.audience,
    cell: (share) => (
      <div className="min-w-40 py-0.5">
        {hasChats && (
          <Link
            to="/c/$conversationId"
            params={{ conversationId: share.conversation_id }}
            className="font-medium text-text hover:text-accent hover:underline"
            dir="auto"
          >
            {share.title || texts.untitled}
          </Link>
        )}
        <p className={hasChats ? 'text-xs text-muted' : undefined}>{texts.audiences[share.audience]}</p>
        <p className="text-xs text-muted">{contentOf(texts, share)}</p>
      </div>
    ),
  },
  { id: 'created', name: texts.created, cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span> },
  {
    id: 'expires',
    name: texts.expires,
    cell: ({ expires_at: at }) => <span className="whitespace-nowrap">{at === null ? texts.neverExpires : formatTime(at)}</span>,
  },
  {
    id: 'revoke',
    name: texts.revoke,
    isNameHidden: true,
    align: 'end',
    cell: (share) => (
      <Button
        size="small"
        onPress={() => onRevoke(share)}
        aria-label={texts.revokeOf(share.title || texts.untitled, formatTime(share.create_time))}
      >
        {texts.revoke}
      </Button>
    ),
  },
];

const contentOf = (texts: SharingMessages, { messages, include_attachments, include_sources }: Share): string =>
  formatList(
    [texts.messages(messages), include_attachments && texts.withAttachments, include_sources && texts.withSources].filter(
      (part) => typeof part === 'string',
    ),
  );
