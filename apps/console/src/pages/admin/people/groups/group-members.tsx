import type { AdminUser } from '@parlance/client/types';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { IconButton } from '../../../../ui/button.tsx';
import { SearchField } from '../../../../ui/fields/index.ts';
import { usePausedText } from '../../../../ui/fields/use-paused-text.ts';
import { Loaded } from '../../../../ui/states.tsx';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { audited } from '../../../../api/query-client.ts';
import { useAddToGroup } from '../use-add-to-group.tsx';
import { nameOf } from '../user-names.ts';

/** More members are shown in the list of users, which is linked. */
const SHOWN_MEMBERS = 50;
const FOUND = 8;

/** The members of a group, and a search for users to add. */
export function GroupMembers({ group }: { readonly group: string }) {
  const { common, admin } = useAdminMessages();
  const { users, erasedUser } = admin.people;
  const texts = users.groupsPage;
  const cache = useQueryClient();
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus({ preventScroll: false }), []);

  const members = useQuery({
    ...audited,
    queryKey: ['admin', 'users', 'members', group],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/users', { query: { group, include_all: true, sort: 'email', limit: SHOWN_MEMBERS }, signal }),
  });
  const refresh = () => cache.invalidateQueries({ queryKey: ['admin', 'users'] });
  const { add, confirmation } = useAddToGroup({
    onAdded: (user) => {
      toast(users.added(group));
      void refresh();
      cache.setQueryData(['admin', 'users', 'one', user.user_id], user);
    },
  });
  const remove = useMutation({
    mutationFn: ({ user_id }: AdminUser) => parlance.admin.removeFromGroup(user_id, group),
    onSuccess: () => {
      toast(users.removedFrom(group));
      // The focused button disappears.
      title.current?.focus();
      return refresh();
    },
    onError: toastError,
  });
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3 rounded-md border border-line bg-raised p-5 max-sm:p-4">
      <div className="flex items-start gap-2">
        <h2 id={titleId} ref={title} tabIndex={-1} className="min-w-0 grow text-md font-semibold outline-none!">
          {texts.membersOf(group)}
        </h2>
        <Link
          to="/admin/groups"
          resetScroll={false}
          aria-label={common.close}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-sm text-muted hover:bg-surface hover:text-text max-sm:size-11"
        >
          <X aria-hidden className="size-4" />
        </Link>
      </div>
      <UserSearch
        label={texts.search}
        action={(user) => (
          <IconButton
            label={texts.addUser(user.email ?? user.user_id)}
            isDisabled={user.groups.includes(group)}
            onPress={() => add(user, group)}
          >
            <Plus aria-hidden className="size-4" />
          </IconButton>
        )}
      />
      <Loaded query={members}>
        {(page) =>
          page.users.length === 0 ? (
            <p className="text-sm text-muted">
              {texts.noMembers} {texts.noMembersText}
            </p>
          ) : (
            <>
              <ul aria-label={texts.members} className="flex flex-col divide-y divide-line">
                {page.users.map((user) => (
                  <UserLine key={user.user_id} user={user}>
                    <IconButton
                      label={texts.removeUser(user.email ?? erasedUser)}
                      isDisabled={remove.isPending}
                      onPress={() => remove.mutate(user)}
                    >
                      <X aria-hidden className="size-4" />
                    </IconButton>
                  </UserLine>
                ))}
              </ul>
              {page.next_token !== null && (
                <Link to="/admin/users" search={{ group }} className="text-sm text-accent hover:underline">
                  {texts.allMembers}
                </Link>
              )}
            </>
          )
        }
      </Loaded>
      {confirmation}
    </section>
  );
}

function UserSearch({ label, action }: { readonly label: string; readonly action: (user: AdminUser) => ReactNode }) {
  const { groupsPage: texts } = useAdminMessages().admin.people.users;
  const [text, setText] = useState('');
  const prefix = usePausedText(text.trim());
  const found = useQuery({
    ...audited,
    queryKey: ['admin', 'users', 'found', prefix],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/users', { query: { prefix, include_all: true, sort: 'email', limit: FOUND }, signal }),
    enabled: prefix !== '',
    placeholderData: keepPreviousData,
  });
  return (
    <div className="flex flex-col gap-2">
      <SearchField label={label} maxLength={100} value={text} onChange={setText} className="w-96 max-w-full" />
      <div role="status" className="empty:hidden">
        {prefix !== '' && found.data?.users.length === 0 && <p className="text-sm text-muted">{texts.noMatch}</p>}
      </div>
      {prefix !== '' && found.data !== undefined && found.data.users.length > 0 && (
        <ul aria-label={label} className="flex flex-col divide-y divide-line rounded-sm border border-line px-3">
          {found.data.users.map((user) => (
            <UserLine key={user.user_id} user={user}>
              {action(user)}
            </UserLine>
          ))}
        </ul>
      )}
    </div>
  );
}

function UserLine({ user, children }: { readonly user: AdminUser; readonly children: ReactNode }) {
  const { erasedUser } = useAdminMessages().admin.people;
  const name = nameOf(user);
  return (
    <li className="flex min-h-11 items-center gap-3">
      <Link to="/admin/users/$userId" params={{ userId: user.user_id }} className="min-w-0 grow text-sm hover:underline">
        <span className="font-medium">{name ?? erasedUser}</span>
        {name !== user.email && <span className="ms-2 text-xs text-muted">{user.email}</span>}
      </Link>
      {children}
    </li>
  );
}
