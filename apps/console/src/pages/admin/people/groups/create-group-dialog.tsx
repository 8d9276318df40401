import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { fieldErrors } from '../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../ui/fields/index.ts';
import { toast } from '../../../../ui/toasts.tsx';
import { groupsQuery } from '../queries.ts';

const route = getRouteApi('/signed-in/admin/groups');

/** Creates a group and opens its members. */
export function CreateGroupDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { admin } = useAdminMessages();
  const texts = admin.people.users.groupsPage;
  const cache = useQueryClient();
  const navigate = route.useNavigate();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => parlance.api.post('/admin/groups', { body: { name } }),
    onSuccess: (group) => {
      toast(texts.created(group.name));
      onClose();
      void navigate({ search: { group: group.name }, resetScroll: false });
      return cache.invalidateQueries({ queryKey: groupsQuery.queryKey });
    },
  });
  return (
    <FormDialog
      title={texts.create}
      isOpen={isOpen}
      onClose={onClose}
      submitLabel={texts.create}
      onSubmit={() => create.mutate()}
      isPending={create.isPending}
      error={create.error}
    >
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        isRequired
        autoFocus
        value={name}
        onChange={setName}
        error={fieldErrors(create.error)['name']}
      />
    </FormDialog>
  );
}
