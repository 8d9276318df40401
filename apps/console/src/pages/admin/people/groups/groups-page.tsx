import type { Group } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatDate } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Page } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { toast } from '../../../../ui/toasts.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { groupsQuery, MOST_GROUPS } from '../queries.ts';
import { CreateGroupDialog } from './create-group-dialog.tsx';
import { GroupMembers } from './group-members.tsx';

const route = getRouteApi('/signed-in/admin/groups');

export function GroupsPage() {
  const { admin } = useAdminMessages();
  const texts = admin.people.users.groupsPage;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const cache = useQueryClient();
  const groups = useQuery(groupsQuery);
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<string | null>(null);
  const columns = useColumns(setDeleting);

  const remove = async (name: string) => {
    await parlance.api.delete('/admin/groups/{name}', { path: { name } });
    toast(texts.deleted(name));
    if (search.group === name) void navigate({ search: {}, replace: true });
    await cache.invalidateQueries({ queryKey: groupsQuery.queryKey });
  };
  return (
    <Page
      title={admin.pages.groups}
      description={texts.description}
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/groups', {}, 'groups.csv')} />
          <Button look="primary" onPress={() => setCreating(true)}>
            <Plus aria-hidden className="size-4" />
            {texts.create}
          </Button>
        </>
      }
    >
      <Loaded query={groups}>
        {(all) => (
          <>
            <Table label={admin.pages.groups} columns={columns} rows={all} keyOf={({ name }) => name} />
            {all.length === MOST_GROUPS && <p className="text-xs text-muted">{texts.firstOnly(MOST_GROUPS)}</p>}
          </>
        )}
      </Loaded>
      {search.group !== undefined && <GroupMembers key={search.group} group={search.group} />}
      {isCreating && <CreateGroupDialog onClose={() => setCreating(false)} />}
      <ConfirmDialog
        title={texts.deleteTitle(deleting ?? '')}
        text={texts.deleteText}
        confirmLabel={texts.delete(deleting ?? '')}
        isOpen={deleting !== null}
        onClose={() => setDeleting(null)}
        onConfirm={() => (deleting === null ? undefined : remove(deleting))}
      />
    </Page>
  );
}

function useColumns(onDelete: (name: string) => void): readonly Column<Group>[] {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.users.groupsPage;
  return [
    {
      id: 'name',
      name: texts.name,
      cell: ({ name }) => (
        <Link
          to="/admin/groups"
          search={{ group: name }}
          resetScroll={false}
          aria-label={texts.showMembers(name)}
          className={`inline-block min-w-44 font-medium ${linkLook}`}
        >
          {name}
        </Link>
      ),
    },
    { id: 'kind', name: texts.kind, cell: ({ built_in }) => <Tag>{built_in ? texts.builtIn : texts.custom}</Tag> },
    {
      id: 'meaning',
      name: texts.meaning,
      cell: ({ name, built_in }) => built_in && <div className="min-w-56">{texts.meanings[name]}</div>,
    },
    {
      id: 'created',
      name: texts.createTime,
      cell: ({ create_time }) => (
        <span className="whitespace-nowrap">{create_time === null ? texts.alwaysThere : formatDate(create_time)}</span>
      ),
    },
    {
      id: 'actions',
      name: common.actions,
      isNameHidden: true,
      align: 'end',
      cell: ({ name, built_in }) =>
        built_in ? (
          <span className="text-xs text-muted">{texts.notDeleted}</span>
        ) : (
          <IconButton label={texts.delete(name)} onPress={() => onDelete(name)}>
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        ),
    },
  ];
}
