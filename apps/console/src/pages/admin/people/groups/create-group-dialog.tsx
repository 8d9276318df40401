import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { groupsQuery } from '../queries.ts';

const route = getRouteApi('/signed-in/admin/groups');

/** Creates a group and opens its members. */
export function CreateGroupDialog({ onClose }: { readonly onClose: () => void }) {
  const { admin } = useAdminMessages();
  const texts = admin.people.users.groupsPage;
  const cache = useQueryClient();
  const navigate = route.useNavigate();
  const [name, setName] = useState('');
  const create = async () => {
    const group = await parlance.api.post('/admin/groups', { body: { name } });
    toast(texts.created(group.name));
    onClose();
    void navigate({ search: { group: group.name }, resetScroll: false });
    await cache.invalidateQueries({ queryKey: groupsQuery.queryKey });
  };
  return (
    <FormDialog title={texts.create} onClose={onClose} submitLabel={texts.create} onSubmit={create}>
      {({ errorOf }) => (
        <TextField label={texts.name} help={texts.nameHelp} isRequired autoFocus value={name} onChange={setName} error={errorOf('name')} />
      )}
    </FormDialog>
  );
}
