import type { Model } from '@parlance/client/types';
import { useMutation } from '@tanstack/react-query';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { Button } from '../../../../ui/button.tsx';
import { ErrorNote } from '../../../../ui/states.tsx';
import { CheckVerdict } from './check-verdict.tsx';

/** Tests a model by a short call. */
export function ModelTest({ model }: { readonly model: Pick<Model, 'id'> }) {
  const { connect } = useAdminMessages().admin.operations;
  const check = useMutation({ mutationFn: () => parlance.api.post('/admin/models/{modelId}/check', { path: { modelId: model.id } }) });
  return (
    <div className="flex flex-col items-start gap-2">
      <Button isPending={check.isPending} onPress={() => check.mutate()}>
        {connect.testModel}
      </Button>
      <p className="text-xs text-muted">{connect.testModelText}</p>
      {check.error !== null && <ErrorNote error={check.error} />}
      <div role="status">{check.data && <CheckVerdict check={check.data} of="model" />}</div>
    </div>
  );
}
