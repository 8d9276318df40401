import type { CreatedUser } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button, LinkButton } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialogs/dialog.tsx';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { GroupChoice } from '../group-choice.tsx';
import { groupsQuery } from '../queries.ts';
import { ShownOnce } from './shown-once.tsx';

/** Creates a user. A temporary password is shown once. */
export function CreateUserDialog({ onClose }: { readonly onClose: () => void }) {
  const [created, setCreated] = useState<CreatedUser | null>(null);
  return created === null ? <CreateDialog onClose={onClose} onCreated={setCreated} /> : <CreatedDialog user={created} onClose={onClose} />;
}

const EMPTY = { email: '', first_name: '', last_name: '', password: '' };

interface CreateProps {
  readonly onClose: () => void;
  readonly onCreated: (user: CreatedUser) => void;
}

function CreateDialog({ onClose, onCreated }: CreateProps) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.users;
  const cache = useQueryClient();
  const [fields, setFields] = useState(EMPTY);
  const [groups, setGroups] = useState<readonly string[]>([]);
  const known = useQuery(groupsQuery);
  const create = async () => {
    const { password, ...names } = fields;
    const user = await parlance.admin.createUser({ ...names, groups: [...groups], ...(password !== '' && { password }) });
    void cache.invalidateQueries({ queryKey: ['admin', 'users', 'list'] });
    onCreated(user);
  };
  const of = (name: keyof typeof EMPTY) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
    autoComplete: 'off',
  });
  return (
    <FormDialog title={texts.create} onClose={onClose} submitLabel={texts.create} onSubmit={create}>
      {({ errorOf }) => (
        <>
          <TextField label={texts.email} type="email" isRequired autoFocus {...of('email')} error={errorOf('email')} />
          <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
            <TextField label={texts.firstName} isRequired {...of('first_name')} error={errorOf('first_name')} />
            <TextField label={texts.lastName} isRequired {...of('last_name')} error={errorOf('last_name')} />
          </div>
          <TextField
            label={`${texts.password} (${common.optional})`}
            type="password"
            help={texts.passwordHelp}
            {...of('password')}
            error={errorOf('password')}
            autoComplete="new-password"
          />
          {known.data && (
            <GroupChoice label={texts.groups} groups={known.data.map(({ name }) => name)} chosen={groups} onChange={setGroups} />
          )}
        </>
      )}
    </FormDialog>
  );
}

function CreatedDialog({ user, onClose }: { readonly user: CreatedUser; readonly onClose: () => void }) {
  const { users: texts } = useAdminMessages().admin.people;
  return (
    <Dialog
      title={texts.createdTitle}
      isOpen
      onClose={onClose}
      footer={
        <>
          <LinkButton href={`/admin/users/${user.user_id}`}>{texts.openUser}</LinkButton>
          <Button look="primary" onPress={onClose} autoFocus>
            {texts.done}
          </Button>
        </>
      }
    >
      <p>{texts.createdText(user.email)}</p>
      {user.temporary_password !== undefined && (
        <>
          <ShownOnce label={texts.temporaryPassword} value={user.temporary_password} />
          <p className="text-xs text-muted">{texts.shownOnce}</p>
        </>
      )}
    </Dialog>
  );
}
