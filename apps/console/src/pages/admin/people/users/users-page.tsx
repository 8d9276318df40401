import type { AdminUser } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { downloadCsv } from '../../../../api/download-csv.ts';
import { formatList, formatMoney, formatNumber, formatTime } from '../../../../messages/format.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { Button } from '../../../../ui/button.tsx';
import { Page } from '../../../../ui/page.tsx';
import { EmptyState } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { Tag } from '../../../../ui/tag.tsx';
import { CsvButton } from '../../../../ui/csv-button.tsx';
import { linkLook } from '../../../../ui/link-look.ts';
import { usersQuery } from '../queries.ts';
import { type UserSort, type UsersSearch, usersFilter } from '../search.ts';
import { Paged } from '../../../../ui/paging/paged.tsx';
import { nameOf } from '../user-names.ts';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { UserFilters } from './user-filters.tsx';

const route = getRouteApi('/signed-in/admin/users');
const SHOWN_GROUPS = 2;

export function UsersPage() {
  const { admin } = useAdminMessages();
  const texts = admin.people.users;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, setCreating] = useState(false);
  const users = useQuery(usersQuery(search));
  const columns = useColumns();
  const sort = search.sort ?? 'total_price';
  // A changed filter goes back to the first page, and typing adds no entries to the history.
  const filter = (change: UsersSearch) => void navigate({ search: { ...search, ...change, token: undefined }, replace: true });

  return (
    <Page
      title={admin.pages.users}
      description={texts.description}
      isWide
      actions={
        <>
          <CsvButton onDownload={() => downloadCsv('/admin/users', usersFilter(search), 'users.csv')} />
          <Button look="primary" onPress={() => setCreating(true)}>
            <UserPlus aria-hidden className="size-4" />
            {texts.create}
          </Button>
        </>
      }
    >
      <UserFilters search={search} onChange={filter} />
      <Paged query={users} token={search.token}>
        {(page) => (
          <Table
            label={texts.label}
            columns={columns}
            rows={page.users}
            keyOf={({ user_id }) => user_id}
            sorting={{ by: sort, order: search.order ?? (sort === 'email' ? 'asc' : 'desc') }}
            onSort={({ by, order }) => filter({ sort: by as UserSort, order: by === sort ? order : undefined })}
            empty={
              <EmptyState
                title={texts.emptyTitle}
                text={texts.emptyText}
                action={<Button onPress={() => void navigate({ search: {} })}>{texts.clearFilters}</Button>}
              />
            }
          />
        )}
      </Paged>
      {isCreating && <CreateUserDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function useColumns(): readonly Column<AdminUser>[] {
  const { users: texts } = useAdminMessages().admin.people;
  return [
    { id: 'email', name: texts.user, isSortable: true, cell: (user) => <UserCell user={user} /> },
    { id: 'groups', name: texts.groups, cell: ({ groups }) => <GroupTags groups={groups} /> },
    {
      id: 'last_sign_in_time',
      name: texts.lastSignIn,
      isSortable: true,
      cell: ({ last_sign_in_time }) => (
        <span className="whitespace-nowrap">{last_sign_in_time === null ? texts.never : formatTime(last_sign_in_time)}</span>
      ),
    },
    {
      id: 'conversation_count',
      name: texts.conversations,
      align: 'end',
      isSortable: true,
      cell: ({ conversation_count }) => formatNumber(conversation_count),
    },
    {
      id: 'tokens',
      name: texts.tokens,
      align: 'end',
      cell: ({ input_tokens, output_tokens }) => formatNumber(input_tokens + output_tokens),
    },
    { id: 'total_price', name: texts.cost, align: 'end', isSortable: true, cell: ({ total_price }) => formatMoney(total_price) },
  ];
}

function UserCell({ user }: { readonly user: AdminUser }) {
  const { people } = useAdminMessages().admin;
  const { user_id, email, enabled } = user;
  const name = nameOf(user);
  return (
    <div className="max-w-80 min-w-56">
      <div className="flex flex-wrap items-center gap-x-2">
        <Link to="/admin/users/$userId" params={{ userId: user_id }} className={`font-medium ${linkLook}`}>
          {name ?? people.erasedUser}
        </Link>
        {email !== null && !enabled && <Tag tone="warn">{people.users.disabled}</Tag>}
      </div>
      {name !== email && (
        <p className="truncate text-xs text-muted" title={email ?? user_id}>
          {email ?? user_id}
        </p>
      )}
    </div>
  );
}

function GroupTags({ groups }: { readonly groups: readonly string[] }) {
  const { users: texts } = useAdminMessages().admin.people;
  if (groups.length === 0) return <span className="text-muted">{texts.noGroups}</span>;
  const more = groups.slice(SHOWN_GROUPS);
  return (
    <span className="flex flex-wrap gap-1">
      {groups.slice(0, SHOWN_GROUPS).map((group) => (
        <Tag key={group}>{group}</Tag>
      ))}
      {more.length > 0 && (
        <span title={formatList(more)}>
          <Tag>{texts.moreGroups(more.length)}</Tag>
        </span>
      )}
    </span>
  );
}
