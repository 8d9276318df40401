import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { FormDialog } from '../../../../ui/dialogs/form-dialog.tsx';
import { Select, TextField } from '../../../../ui/fields/index.ts';
import { toast, toastError } from '../../../../ui/toasts.tsx';
import { GroupChoice } from '../group-choice.tsx';
import { groupsQuery } from '../queries.ts';

/** The option for no group. It cannot be the name of a group, because those have no comma. */
const NONE = ',';

/** Creates a service account, and opens its page, where tokens are created. */
export function CreateAccountDialog({ onClose }: { readonly onClose: () => void }) {
  const { common, admin } = useAdminMessages();
  const { accounts: texts } = admin.people.tokens;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [owner, setOwner] = useState(NONE);
  const [further, setFurther] = useState<readonly string[]>([]);
  const known = useQuery(groupsQuery);
  const create = async () => {
    const { id } = await parlance.api.post('/admin/service-accounts', { body: { name: name.trim(), group: owner } });
    for (const group of further.filter((each) => each !== owner)) {
      // The account exists. Its page shows the groups it has, and can add the others.
      await parlance.api.put('/admin/users/{userId}/groups/{group}', { path: { userId: id, group } }).catch(toastError);
    }
    await cache.invalidateQueries({ queryKey: ['admin', 'service-accounts'] });
    toast(texts.createdNow);
    await navigate({ to: '/admin/service-accounts/$accountId', params: { accountId: id } });
  };
  const isNameMissing = name.trim() === '';
  const groups = (known.data ?? []).map((group) => group.name);
  return (
    <FormDialog
      title={texts.create}
      onClose={onClose}
      submitLabel={common.create}
      onSubmit={create}
      isComplete={!isNameMissing && owner !== NONE}
      otherError={known.error}
    >
      {({ errorOf, isChecked }) => (
        <>
          <TextField
            label={texts.name}
            help={texts.nameHelp}
            autoFocus
            autoComplete="off"
            value={name}
            onChange={setName}
            error={errorOf('name') ?? (isChecked && isNameMissing ? texts.nameMissing : undefined)}
          />
          <Select
            label={texts.owner}
            help={texts.ownerHelp}
            value={owner}
            onChange={setOwner}
            options={[{ id: NONE, name: texts.chooseGroup }, ...groups.map((group) => ({ id: group, name: group }))]}
            error={errorOf('group') ?? (isChecked && owner === NONE ? texts.ownerMissing : undefined)}
          />
          <GroupChoice
            label={`${texts.furtherGroups} (${common.optional})`}
            groups={groups.filter((group) => group !== owner)}
            chosen={further}
            onChange={setFurther}
          />
        </>
      )}
    </FormDialog>
  );
}
