import type { Model } from '@parlance/client/types';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { FormDialog } from '../../../../../ui/dialogs/form-dialog.tsx';
import { TextField } from '../../../../../ui/fields/index.ts';
import { toast } from '../../../../../ui/toasts.tsx';
import { changeRead, modelsQuery } from '../catalogue-queries.ts';
import { changeOfModel, draftOfModel, modelProblems } from '../model-fields/model-draft.ts';
import { ModelFields } from '../model-fields/model-fields.tsx';
import { ModelOrder } from '../model-fields/model-order.tsx';
import { CATALOGUE_NAME } from '../providers/provider-draft.ts';

const NONE: ReadonlySet<never> = new Set();
const MOST_FALLBACKS = 10;

/** Changes a model that an administrator has added. Its prices have their own form. */
export function ModelDialog({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  const { common, admin } = useAdminMessages();
  const { modelFields } = admin.operations;
  const client = useQueryClient();
  const all = useQuery(modelsQuery).data?.models ?? [];
  const [draft, setDraft] = useState(() => draftOfModel(model));
  const [nameAtProvider, setNameAtProvider] = useState(model.model);
  const [fallbacks, setFallbacks] = useState<readonly string[]>(model.fallbacks);
  const problems = modelProblems(draft, null);
  const isName = CATALOGUE_NAME.test(nameAtProvider.trim());
  const save = async () => {
    const body = { ...changeOfModel(draft), model: nameAtProvider.trim(), fallbacks: [...fallbacks] };
    const request = { path: { modelId: model.id }, body, ifMatch: model.etag! };
    await changeRead(client, modelFields.stale, () => parlance.api.patch('/admin/models/{modelId}', request));
    toast(modelFields.saved(draft.name));
    onClose();
  };
  return (
    <FormDialog
      title={modelFields.changeTitle(model.name)}
      onClose={onClose}
      submitLabel={common.save}
      onSubmit={save}
      isComplete={problems.size === 0 && isName}
    >
      {({ errorOf, isChecked }) => (
        <>
          <ModelFields
            draft={draft}
            onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
            problems={isChecked ? problems : NONE}
            errorOf={errorOf}
          />
          <TextField
            label={modelFields.nameAtProvider}
            value={nameAtProvider}
            onChange={setNameAtProvider}
            error={errorOf('model') ?? (isChecked && !isName ? modelFields.idInvalid : undefined)}
          />
          <ModelOrder
            label={modelFields.fallbacks}
            help={modelFields.fallbacksHelp}
            value={fallbacks}
            onChange={setFallbacks}
            models={all.filter(({ id }) => id !== model.id)}
            most={MOST_FALLBACKS}
            error={errorOf('fallbacks')}
          />
        </>
      )}
    </FormDialog>
  );
}
