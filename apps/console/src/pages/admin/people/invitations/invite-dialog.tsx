import type { InviteBody } from '@parlance/client/types';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { ErrorNote } from '../../../../ui/states.tsx';
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
  const inviting = useMutation({
    mutationFn: (body: InviteBody) => parlance.api.post('/admin/invitations', { body }),
    onSuccess: async ({ email }) => {
      await cache.invalidateQueries({ queryKey: ['admin', 'invitations'] });
      toast(texts.sent(email));
      onClose();
    },
  });
  const send = () => {
    const [first_name, last_name] = [fields.first_name.trim(), fields.last_name.trim()];
    inviting.mutate({
      email: fields.email.trim(),
      ...(first_name !== '' && { first_name }),
      ...(last_name !== '' && { last_name }),
      // Without groups, the server assigns those that all new users get.
      ...(groups.length > 0 && { groups: [...groups] }),
    });
  };
  const errors = fieldErrors(inviting.error);
  const of = (name: keyof typeof EMPTY) => ({
    name,
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
    error: errors[name],
    autoComplete: 'off',
  });
  return (
    <FormDialog
      title={texts.create}
      onClose={onClose}
      submitLabel={texts.send}
      onSubmit={send}
      isPending={inviting.isPending}
      error={formError(inviting.error)}
    >
      <TextField label={texts.email} help={texts.emailHelp} type="email" isRequired autoFocus {...of('email')} />
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <TextField label={`${texts.firstName} (${common.optional})`} {...of('first_name')} />
        <TextField label={`${texts.lastName} (${common.optional})`} {...of('last_name')} />
      </div>
      {known.error !== null && <ErrorNote error={known.error} />}
      {known.data && (
        <div className="flex flex-col gap-1">
          <GroupChoice label={texts.groups} groups={known.data.map(({ name }) => name)} chosen={groups} onChange={setGroups} />
          <p className="text-xs text-muted">{texts.groupsHelp}</p>
        </div>
      )}
    </FormDialog>
  );
}
