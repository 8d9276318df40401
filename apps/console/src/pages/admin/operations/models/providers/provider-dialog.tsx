import type { ModelProvider } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { FormDialog } from '../../../../../ui/dialogs/form-dialog.tsx';
import { toast } from '../../../../../ui/toasts.tsx';
import { changeRead } from '../catalogue-queries.ts';
import { changeOf, draftOf, problemsOf } from './provider-draft.ts';
import { ProviderFields } from './provider-fields.tsx';

const NONE: ReadonlySet<never> = new Set();

/** Changes a provider that an administrator has added. */
export function ProviderDialog({ provider, onClose }: { readonly provider: ModelProvider; readonly onClose: () => void }) {
  const { common, admin } = useAdminMessages();
  const { providers } = admin.operations;
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(provider));
  const problems = problemsOf(draft, provider);
  const save = async () => {
    const request = { path: { providerId: provider.id }, body: changeOf(draft), ifMatch: provider.etag! };
    await changeRead(client, providers.stale, () => parlance.api.patch('/admin/providers/{providerId}', request));
    toast(providers.saved(provider.id));
    onClose();
  };
  return (
    <FormDialog
      title={providers.changeTitle(provider.id)}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={save}
      isComplete={problems.size === 0}
    >
      {({ errorOf, isChecked }) => (
        <ProviderFields
          draft={draft}
          onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
          problems={isChecked ? problems : NONE}
          errorOf={errorOf}
          isStored
        />
      )}
    </FormDialog>
  );
}
