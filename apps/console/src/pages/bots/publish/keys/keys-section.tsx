import type { ApiKey } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { queryClient } from '../../../../api/query-client.ts';
import { formatList, formatAge, formatDate } from '../../../../messages/format.ts';
import { useMessages } from '../../../../messages/index.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Switch } from '../../../../ui/fields/index.ts';
import { Section } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { Table } from '../../../../ui/table.tsx';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { focusAfterDialog } from '../../../../ui/dialogs/after-dialog.ts';
import { KeyDialog } from './key-dialog.tsx';
import { isExpired } from './key-form.ts';
import { keysQuery } from './keys-query.ts';

export function KeysSection({ botId }: { readonly botId: string }) {
  const { publish } = useMessages().bots;
  const keys = useQuery(keysQuery(botId));
  const [open, setOpen] = useState<{ readonly what: 'edit' | 'delete'; readonly key: ApiKey } | { readonly what: 'new' } | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const read = () => queryClient.invalidateQueries({ queryKey: keysQuery(botId).queryKey });

  const enable = async (key: ApiKey, enabled: boolean) => {
    try {
      const path = { botId, keyId: key.id };
      const changed = await parlance.api.patch('/bot/{botId}/publication/api-key/{keyId}', { path, body: { enabled } });
      queryClient.setQueryData(keysQuery(botId).queryKey, (before) => before?.map((each) => (each.id === changed.id ? changed : each)));
    } catch (error) {
      toastError(error);
    }
  };
  const remove = async (key: ApiKey) => {
    await parlance.bots.revokeKey(botId, key.id);
    toast(publish.keyDeleted);
    await read();
    focusAfterDialog(list.current);
  };

  return (
    <Section
      title={publish.keys}
      description={publish.keysText}
      actions={
        <Button look="primary" onPress={() => setOpen({ what: 'new' })}>
          <Plus aria-hidden className="size-4" />
          {publish.newKey}
        </Button>
      }
    >
      <div ref={list} tabIndex={-1} className="outline-none">
        <Loaded query={keys}>
          {(rows) => (
            <KeyTable
              rows={rows}
              onEnable={(key, enabled) => void enable(key, enabled)}
              onEdit={(key) => setOpen({ what: 'edit', key })}
              onDelete={(key) => setOpen({ what: 'delete', key })}
            />
          )}
        </Loaded>
      </div>
      {(open?.what === 'new' || open?.what === 'edit') && (
        <KeyDialog
          botId={botId}
          apiKey={open.what === 'edit' ? open.key : null}
          onClose={() => setOpen(null)}
          onSaved={() => void read()}
        />
      )}
      <ConfirmDialog
        title={publish.deleteKeyTitle}
        text={publish.deleteKeyText(open?.what === 'delete' ? open.key.description : '')}
        confirmLabel={publish.deleteKeyConfirm}
        isOpen={open?.what === 'delete'}
        onClose={() => setOpen(null)}
        onConfirm={() => (open?.what === 'delete' ? remove(open.key) : undefined)}
      />
    </Section>
  );
}

interface KeyTableProps {
  readonly rows: readonly ApiKey[];
  readonly onEnable: (key: ApiKey, enabled: boolean) => void;
  readonly onEdit: (key: ApiKey) => void;
  readonly onDelete: (key: ApiKey) => void;
}

function KeyTable({ rows, onEnable, onEdit, onDelete }: KeyTableProps) {
  const { publish } = useMessages().bots;
  return (
    <Table
      label={publish.keys}
      rows={rows}
      keyOf={({ id }) => id}
      empty={<p className="text-sm text-muted">{publish.noKeys}</p>}
      columns={[
        {
          id: 'description',
          name: publish.description,
          cell: ({ description, value, allowed_ip_ranges: ranges }) => (
            <div className="min-w-40">
              <p className="font-medium">{description}</p>
              <p className="font-mono text-xs text-muted">{value}</p>
              {ranges.length > 0 && <p className="text-xs text-muted">{publish.limitedTo(formatList(ranges))}</p>}
            </div>
          ),
        },
        { id: 'created', name: publish.created, cell: ({ created_date: at }) => <Nowrap>{formatDate(at)}</Nowrap> },
        {
          id: 'used',
          name: publish.lastUsed,
          cell: ({ last_used_date: at }) => <Nowrap>{at === null ? publish.never : formatAge(at)}</Nowrap>,
        },
        {
          id: 'expires',
          name: publish.expires,
          cell: (key) => (
            <Nowrap>{key.expires_at === null ? publish.never : isExpired(key) ? publish.expired : formatDate(key.expires_at)}</Nowrap>
          ),
        },
        {
          id: 'state',
          name: publish.state,
          cell: (key) => (
            <Switch aria-label={publish.enableKey(key.description)} isSelected={key.enabled} onChange={(enabled) => onEnable(key, enabled)}>
              {key.enabled ? publish.enabled : publish.disabled}
            </Switch>
          ),
        },
        {
          id: 'actions',
          name: publish.keyActions,
          isNameHidden: true,
          align: 'end',
          cell: (key) => (
            <span className="flex justify-end">
              <IconButton label={publish.changeKey(key.description)} onPress={() => onEdit(key)}>
                <Pencil aria-hidden className="size-4" />
              </IconButton>
              <IconButton label={publish.deleteKey(key.description)} onPress={() => onDelete(key)}>
                <Trash2 aria-hidden className="size-4" />
              </IconButton>
            </span>
          ),
        },
      ]}
    />
  );
}

function Nowrap({ children }: { readonly children: string }) {
  return <span className="whitespace-nowrap">{children}</span>;
}
