import type { MemoryEntry } from '@parlance/client/types';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { formatTime } from '../../../messages/format.ts';
import { useMemoryMessages } from '../../../messages/memory-messages.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { focusAfterDialog } from '../../../ui/dialogs/after-dialog.ts';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { Switch } from '../../../ui/fields/index.ts';
import { Paged } from '../../../ui/paging/paged.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { type Column, Table } from '../../../ui/table.tsx';
import { toast, toastError } from '../../../ui/toasts.tsx';
import { revealHidden } from '../../chat/messages/tool-calls/hidden-characters.ts';
import { AccountFrame } from '../account-frame.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { memoriesQuery, memoryChanged, memorySettingsQuery, removeMemory } from './memory-queries.ts';

const route = getRouteApi('/signed-in/account/memory');

/** What models may know about the user: the switch, and the entries with where each came from. */
export function MemoryPage() {
  const texts = useMemoryMessages();
  const { token } = route.useSearch();
  const settings = useQuery(memorySettingsQuery);
  const query = useQuery(memoriesQuery(token));
  /** `new` for a new entry. */
  const [edited, setEdited] = useState<MemoryEntry | 'new' | null>(null);
  const [isClearing, setClearing] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const navigate = route.useNavigate();
  // The last entry of a later page was removed. Earlier pages still have entries, so the memory must not look empty.
  const isPastEnd = token !== undefined && !query.isPlaceholderData && query.data?.memories.length === 0;
  useEffect(() => {
    if (isPastEnd) void navigate({ search: {}, replace: true, resetScroll: false });
  }, [isPastEnd, navigate]);
  const turn = useMutation({
    mutationFn: (enabled: boolean) => parlance.api.put('/user/me/memory', { body: { enabled } }),
    onSuccess: async ({ enabled }) => {
      await memoryChanged();
      toast(enabled ? texts.turnedOn : texts.turnedOff);
    },
    onError: toastError,
  });
  const remove = useMutation({
    mutationFn: removeMemory,
    onSuccess: () => {
      toast(texts.removed);
      focusAfterDialog(list.current);
    },
    onError: toastError,
  });
  const clear = async () => {
    await parlance.api.delete('/user/me/memories');
    await memoryChanged();
    toast(texts.allRemoved);
    focusAfterDialog(list.current);
  };
  return (
    <AccountFrame>
      <p className="text-sm text-muted">{texts.text}</p>
      <Loaded query={settings}>
        {({ enabled, allowed }) => (
          <>
            {!allowed && <p className="text-sm">{texts.notAllowed}</p>}
            <div className="flex flex-wrap items-center gap-3">
              <Switch isSelected={enabled} isDisabled={turn.isPending || (!allowed && !enabled)} onChange={(isOn) => turn.mutate(isOn)}>
                {texts.use}
              </Switch>
              <span className="grow" />
              {allowed && <Button onPress={() => setEdited('new')}>{texts.add}</Button>}
              {(query.data?.memories.length ?? 0) > 0 && <Button onPress={() => setClearing(true)}>{texts.removeAll}</Button>}
            </div>
            <div ref={list} tabIndex={-1} className="outline-none">
              <Paged query={query} token={token}>
                {({ memories }) => (
                  <Table
                    label={texts.entries}
                    rows={memories}
                    keyOf={({ memory_id }) => memory_id}
                    columns={columnsOf(texts, {
                      onEdit: allowed ? setEdited : null,
                      onRemove: ({ memory_id }) => remove.mutate(memory_id),
                      isRemoving: ({ memory_id }) => remove.isPending && remove.variables === memory_id,
                    })}
                    empty={<EmptyState title={texts.none} text={texts.noneText} />}
                  />
                )}
              </Paged>
            </div>
          </>
        )}
      </Loaded>
      {edited !== null && <EntryDialog entry={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      <ConfirmDialog
        title={texts.removeAllTitle}
        text={texts.removeAllText}
        confirmLabel={texts.removeAll}
        isOpen={isClearing}
        onClose={() => setClearing(false)}
        onConfirm={clear}
      />
    </AccountFrame>
  );
}

interface Actions {
  /** Null if entries cannot be changed. */
  readonly onEdit: ((entry: MemoryEntry) => void) | null;
  readonly onRemove: (entry: MemoryEntry) => void;
  readonly isRemoving: (entry: MemoryEntry) => boolean;
}

const columnsOf = (texts: ReturnType<typeof useMemoryMessages>, { onEdit, onRemove, isRemoving }: Actions): Column<MemoryEntry>[] => [
  {
    id: 'entry',
    name: texts.entry,
    cell: ({ text }) => (
      <span className="block min-w-48 wrap-anywhere whitespace-pre-wrap" dir="auto">
        {revealHidden(text)}
      </span>
    ),
  },
  {
    id: 'from',
    name: texts.from,
    cell: ({ conversation_id: conversationId, message_id: message }) =>
      conversationId === null || message === null ? (
        texts.you
      ) : (
        <Link to="/c/$conversationId" params={{ conversationId }} search={{ message }} className="text-accent hover:underline">
          {texts.chat}
        </Link>
      ),
  },
  { id: 'added', name: texts.added, cell: ({ create_time }) => <span className="whitespace-nowrap">{formatTime(create_time)}</span> },
  {
    id: 'actions',
    name: texts.change,
    isNameHidden: true,
    align: 'end',
    cell: (entry) => <EntryActions entry={entry} onEdit={onEdit} onRemove={onRemove} isRemoving={isRemoving} />,
  },
];

function EntryActions({ entry, onEdit, onRemove, isRemoving }: Actions & { readonly entry: MemoryEntry }) {
  const texts = useMemoryMessages();
  const text = revealHidden(entry.text);
  return (
    <div className="flex justify-end gap-2">
      {onEdit !== null && (
        <Button size="small" onPress={() => onEdit(entry)} aria-label={texts.changeEntry(text)}>
          {texts.changeShort}
        </Button>
      )}
      <Button size="small" isPending={isRemoving(entry)} onPress={() => onRemove(entry)} aria-label={texts.removeEntry(text)}>
        {texts.removeShort}
      </Button>
    </div>
  );
}
