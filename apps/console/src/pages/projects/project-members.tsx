import type { Project } from '@parlance/client/types';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { User, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import { errorText } from '../../api/error-text.ts';
import { queryClient } from '../../api/query-client.ts';
import { useProjectMessages } from '../../messages/project-messages.ts';
import { parlance } from '../../session/parlance.ts';
import { IconButton } from '../../ui/button.tsx';
import { itemLook, Select, TextField } from '../../ui/fields/index.ts';
import { toastError } from '../../ui/toasts.tsx';
import { findPeople, useNames } from '../bots/header/people.ts';
import { projectQuery } from './project-queries.ts';

type Role = Project['role'];

/** The members of a project. Its owner adds and removes them. */
export function ProjectMembers({ project: { project_id: projectId, role, members } }: { readonly project: Project }) {
  const texts = useProjectMessages();
  const names = useNames(members.map(({ user_id }) => user_id));
  const nameOf = (userId: string) => names.get(userId) ?? userId;
  const changed = () => queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
  const set = (userId: string, its: Role) => {
    if (its === 'owner') return;
    const request = parlance.api.put('/projects/{projectId}/members/{userId}', { path: { projectId, userId }, body: { role: its } });
    void request.then(changed, toastError);
  };
  const remove = (userId: string) =>
    void parlance.api.delete('/projects/{projectId}/members/{userId}', { path: { projectId, userId } }).then(changed, toastError);
  return (
    <div className="flex flex-col gap-3">
      {role === 'owner' && <AddMember known={members.map(({ user_id }) => user_id)} onAdd={(userId) => set(userId, 'viewer')} />}
      <ul aria-label={texts.members} className="flex flex-col rounded-sm border border-line">
        {members.map(({ user_id: userId, role: its }) => (
          <li key={userId} className="flex min-h-11 items-center gap-2 border-b border-line py-1 ps-3 pe-1 last:border-0">
            <User aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 grow truncate text-sm">{nameOf(userId)}</span>
            {role === 'owner' && its !== 'owner' ? (
              <>
                <Select
                  label={texts.roleOf(nameOf(userId))}
                  isLabelHidden
                  className="w-32 shrink-0"
                  value={its}
                  options={(['viewer', 'editor'] as const).map((id) => ({ id, name: texts.role[id] }))}
                  onChange={(chosen) => set(userId, chosen)}
                />
                <IconButton label={texts.removeMember(nameOf(userId))} onPress={() => remove(userId)}>
                  <X aria-hidden className="size-4" />
                </IconButton>
              </>
            ) : (
              <span className="pe-2 text-xs text-muted">{texts.role[its]}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function AddMember({ known, onAdd }: { readonly known: readonly string[]; readonly onAdd: (userId: string) => void }) {
  const texts = useProjectMessages();
  const [prefix, setPrefix] = useState('');
  const searched = useDeferredValue(prefix.trim());
  const found = useQuery({
    queryKey: ['people', searched],
    queryFn: () => findPeople(searched),
    enabled: searched !== '',
    placeholderData: keepPreviousData,
  });
  const users = (found.data ?? []).filter(({ kind, id }) => kind === 'user' && !known.includes(id));
  return (
    <>
      <TextField
        label={texts.addMember}
        help={texts.addMemberHelp}
        value={prefix}
        onChange={setPrefix}
        autoComplete="off"
        error={found.error ? errorText(found.error) : undefined}
      />
      {searched !== '' && found.data !== undefined && (
        <ListBox
          aria-label={texts.found}
          items={users}
          onAction={(key) => {
            onAdd(String(key));
            setPrefix('');
          }}
          renderEmptyState={() => <p className="p-2 text-xs text-muted">{texts.notFound}</p>}
          className="max-h-52 overflow-auto rounded-sm border border-line p-1 outline-none"
        >
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className={itemLook}>
              <span className="min-w-0 grow truncate">{name}</span>
            </ListBoxItem>
          )}
        </ListBox>
      )}
    </>
  );
}
