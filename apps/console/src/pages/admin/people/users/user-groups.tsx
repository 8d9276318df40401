import type { User } from '@parlance/client/types';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Select } from '../../../../ui/fields/index.ts';
import { Section } from '../../../../ui/page.tsx';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { groupsQuery, userQuery } from '../queries.ts';
import { useAddToGroup } from '../use-add-to-group.tsx';

/** The option for no group. It cannot be the name of a group, because those have no comma. */
const NONE = ',';

interface Props {
  readonly user: Pick<User, 'user_id' | 'groups'>;
  readonly description: string;
}

/** The groups of a user or of a service account. */
export function UserGroups({ user, description }: Props) {
  const { users: texts } = useAdminMessages().admin.people;
  const cache = useQueryClient();
  const { data: known = [] } = useQuery(groupsQuery);
  const [chosen, setChosen] = useState(NONE);
  const list = useRef<HTMLDivElement>(null);
  const refresh = () =>
    Promise.all(
      [
        ['admin', 'users'],
        ['admin', 'service-accounts'],
      ].map((queryKey) => cache.invalidateQueries({ queryKey })),
    );
  const { add, isPending, confirmation } = useAddToGroup({
    onAdded: (next, group) => {
      cache.setQueryData(userQuery(user.user_id).queryKey, next);
      setChosen(NONE);
      toast(texts.added(group));
      void refresh();
    },
  });
  const remove = useMutation({
    mutationFn: (group: string) => parlance.admin.removeFromGroup(user.user_id, group),
    onSuccess: (_, group) => {
      toast(texts.removedFrom(group));
      // The focused button disappears.
      list.current?.focus();
      return refresh();
    },
    onError: toastError,
  });
  const others = known.filter(({ name }) => !user.groups.includes(name));
  return (
    <Section title={texts.groups} description={description}>
      <div ref={list} tabIndex={-1} className="outline-none!">
        {user.groups.length === 0 ? (
          <p className="text-sm text-muted">{texts.noGroups}</p>
        ) : (
          <ul aria-label={texts.groups} className="flex flex-wrap gap-2">
            {user.groups.map((group) => (
              <li key={group} className="flex items-center rounded-full border border-line ps-3 text-sm">
                {group}
                <IconButton
                  label={texts.removeFrom(group)}
                  isDisabled={remove.isPending}
                  onPress={() => remove.mutate(group)}
                  className="rounded-full"
                >
                  <X aria-hidden className="size-4" />
                </IconButton>
              </li>
            ))}
          </ul>
        )}
      </div>
      {others.length > 0 && (
        <div className="flex flex-wrap items-end gap-2">
          <Select
            label={texts.addGroup}
            className="w-64 max-sm:w-full"
            value={chosen}
            onChange={setChosen}
            options={[{ id: NONE, name: texts.chooseGroup }, ...others.map(({ name }) => ({ id: name, name }))]}
          />
          <Button isDisabled={chosen === NONE} isPending={isPending} onPress={() => add(user, chosen)}>
            {texts.add}
          </Button>
        </div>
      )}
      {confirmation}
    </Section>
  );
}
