import type { Bot } from '@parlance/client/types';
import { useState } from 'react';
import { fieldErrors, formError } from '../../../api/form-errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useMessages } from '../../../messages/index.ts';
import { parlance } from '../../../session/parlance.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { useSending } from '../../../ui/use-sending.ts';
import { publicationQuery } from '../bot-queries.ts';
import { LimitFields } from './limit-fields.tsx';
import { bodyOf, NEW_LIMITS } from './limits.ts';
import { Readiness, useReadiness } from './readiness.tsx';

/** The client's `publish` would wait for the end; this page shows the progress instead. */
export function PublishForm({ bot }: { readonly bot: Bot }) {
  const { publish } = useMessages().bots;
  const { list, isReady } = useReadiness(bot);
  const [limits, setLimits] = useState(NEW_LIMITS);
  const [stage, setStage] = useState('');
  const {
    isPending,
    error,
    send: submit,
  } = useSending(async () => {
    const body = { ...bodyOf(limits), ...(stage.trim() !== '' && { stage: stage.trim() }) };
    try {
      const begun = await parlance.api.post('/bot/{botId}/publication', { path: { botId: bot.id }, body });
      queryClient.setQueryData(publicationQuery(bot.id).queryKey, begun);
    } catch (failure) {
      // The deployment may have started although the answer was lost, or in another tab.
      void queryClient.invalidateQueries({ queryKey: publicationQuery(bot.id).queryKey });
      throw failure;
    }
  });
  const errors = fieldErrors(error);

  return (
    <>
      <Readiness list={list} />
      <Section title={publish.form}>
        <form onSubmit={submit} className="flex flex-col gap-3" noValidate>
          <LimitFields limits={limits} change={(part) => setLimits((before) => ({ ...before, ...part }))} errors={errors} />
          <TextField
            label={publish.stage}
            help={publish.stageHelp}
            value={stage}
            onChange={setStage}
            error={errors['stage']}
            placeholder="api"
            autoComplete="off"
            className="max-w-56"
          />
          {formError(error) !== null && <ErrorNote error={formError(error)} />}
          <Button type="submit" look="primary" className="self-end" isPending={isPending} isDisabled={!isReady}>
            {publish.submit}
          </Button>
        </form>
      </Section>
    </>
  );
}
