import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { GroupChoice } from '../group-choice.tsx';
import { groupsQuery } from '../queries.ts';

const EMPTY = { email: '', first_name: '', last_name: '' };

/** Sends an e-mail with a link to create an account. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { common, admin } = useAdminMessages();
  const texts = admin.people.invitations;
  const cache = useQueryClient();
  const [fields, setFields] = useState(EMPTY);
  const [groups, setGroups] = useState<readonly string[]>([]);
  const known = useQuery(groupsQuery);
  const invite = async () => {
    const [first_name, last_name] = [fields.first_name.trim(), fields.last_name.trim()];
    const { email } = await parlance.api.post('/admin/invitations', {
      body: {
        email: fields.email.trim(),
        ...(first_name !== '' && { first_name }),
        ...(last_name !== '' && { last_name }),
        // Without groups, the server assigns those that all new users get.
        ...(groups.length > 0 && { groups: [...groups] }),
      },
    });
    await cache.invalidateQueries({ queryKey: ['admin', 'invitations'] });
    toast(texts.sent(email));
    onClose();
  };
  const of = (name: keyof typeof EMPTY) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
    autoComplete: 'off',
  });
  return (
    <FormDialog title={texts.create} onClose={onClose} submitLabel={texts.send} onSubmit={invite} otherError={known.error}>
      {({ errorOf }) => (
        <>
          <TextField
            label={texts.email}
            help={texts.emailHelp}
            type="email"
            isRequired
            autoFocus
            {...of('email')}
            error={errorOf('email')}
          />
          <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
            <TextField label={`${texts.firstName} (${common.optional})`} {...of('first_name')} error={errorOf('first_name')} />
            <TextField label={`${texts.lastName} (${common.optional})`} {...of('last_name')} error={errorOf('last_name')} />
          </div>
          {known.data && (
            <div className="flex flex-col gap-1">
              <GroupChoice label={texts.groups} groups={known.data.map(({ name }) => name)} chosen={groups} onChange={setGroups} />
              <p className="text-xs text-muted">{texts.groupsHelp}</p>
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}
