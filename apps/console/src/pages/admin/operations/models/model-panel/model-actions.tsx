import type { Model } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { ConfirmDialog } from '../../../../../ui/dialogs/confirm-dialog.tsx';
import { toast } from '../../../../../ui/toasts.tsx';
import { changeRead } from '../catalogue-queries.ts';
import { ModelDialog } from './model-dialog.tsx';

/** Changes or removes a model that was added. For others, says why it cannot be changed here. */
export function ModelActions({ model }: { readonly model: Model }) {
  const { modelFields } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const [open, setOpen] = useState<'change' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const { etag, source } = model;
  if (etag === null) {
    return <p className="text-sm text-muted">{source === 'built_in' ? modelFields.builtIn : modelFields.readOnly}</p>;
  }
  const remove = async () => {
    const request = { path: { modelId: model.id }, ifMatch: etag };
    await changeRead(client, modelFields.stale, () => parlance.api.delete('/admin/models/{modelId}', request));
    toast(modelFields.removed(model.name));
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button onPress={() => setOpen('change')}>{modelFields.change}</Button>
      <Button look="danger" onPress={() => setOpen('remove')}>
        {modelFields.remove}
      </Button>
      {open === 'change' && <ModelDialog model={model} onClose={close} />}
      <ConfirmDialog
        title={modelFields.removeTitle(model.name)}
        text={modelFields.removeText}
        confirmLabel={modelFields.remove}
        isOpen={open === 'remove'}
        onClose={close}
        onConfirm={remove}
      />
    </div>
  );
}
