import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { NoAccess } from '../../../app/error-pages.tsx';
import { useEntryMessages } from '../../../messages/entry-messages.ts';
import { formatSeconds } from '../../../messages/format.ts';
import { parlance } from '../../../session/parlance.ts';
import { isAdmin, useConfig, useMe } from '../../../session/use-me.ts';
import { Button, LinkButton } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { NumberField, Select, TextField } from '../../../ui/fields/index.ts';
import { Page, Section } from '../../../ui/page.tsx';
import { ErrorNote, Loaded } from '../../../ui/states.tsx';
import { checkModel } from './check-model.ts';
import { asFile, asVariable, type ModelChoice, PROVIDERS } from './model-configuration.ts';

const START: ModelChoice = {
  provider: 'anthropic',
  region: 'us-east-1',
  baseUrl: 'http://127.0.0.1:11434/v1',
  model: 'qwen3:32b',
  contextWindow: 32_768,
};

export function ConnectModelPage() {
  const { modelPage } = useEntryMessages();
  const [choice, setChoice] = useState(START);
  if (!isAdmin(useMe())) return <NoAccess />;
  return (
    <Page
      title={modelPage.title}
      description={modelPage.description}
      actions={<LinkButton href="/admin/models/connect">{modelPage.withoutRestart}</LinkButton>}
    >
      <Section title={modelPage.providerStep}>
        <ChoiceForm choice={choice} onChange={(part) => setChoice((now) => ({ ...now, ...part }))} />
      </Section>
      <Section title={modelPage.configurationStep} description={modelPage.configurationText}>
        <CodeBlock label={modelPage.file} code={asFile(choice)} />
        <CodeBlock label={modelPage.variable} code={asVariable(choice)} />
        {choice.provider !== 'openai_compatible' && <p className="text-xs text-muted">{modelPage.keyNote}</p>}
      </Section>
      <Check />
    </Page>
  );
}

function ChoiceForm({ choice, onChange }: { readonly choice: ModelChoice; readonly onChange: (part: Partial<ModelChoice>) => void }) {
  const { modelPage } = useEntryMessages();
  const { provider, region, baseUrl, model, contextWindow } = choice;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label={modelPage.provider}
        value={provider}
        onChange={(id) => onChange({ provider: id })}
        options={PROVIDERS.map((id) => ({ id, name: modelPage.providers[id] }))}
      />
      {provider === 'bedrock' && (
        <TextField label={modelPage.region} help={modelPage.regionHelp} value={region} onChange={(text) => onChange({ region: text })} />
      )}
      {provider === 'openai_compatible' && (
        <>
          <TextField
            label={modelPage.baseUrl}
            help={modelPage.baseUrlHelp}
            type="url"
            value={baseUrl}
            onChange={(text) => onChange({ baseUrl: text })}
          />
          <TextField label={modelPage.modelName} value={model} onChange={(text) => onChange({ model: text })} />
          <NumberField
            label={modelPage.contextWindow}
            value={contextWindow}
            minValue={1}
            onChange={(n) => onChange({ contextWindow: n })}
          />
        </>
      )}
    </div>
  );
}

/** The offline model needs no provider. */
const OFFLINE = 'local-extractive';

function Check() {
  const { modelPage } = useEntryMessages();
  const config = useConfig();
  return (
    <Section
      title={modelPage.checkStep}
      description={modelPage.checkText}
      actions={
        <Button isPending={config.isFetching} onPress={() => void config.refetch()}>
          {modelPage.reload}
        </Button>
      }
    >
      <Loaded query={config}>
        {({ global_available_models: all }) => {
          const models = all.filter(({ available, id }) => available && id !== OFFLINE);
          if (models.length === 0) return <p className="text-sm text-muted">{modelPage.noModels}</p>;
          return <CheckForm models={models} />;
        }}
      </Loaded>
    </Section>
  );
}

function CheckForm({ models }: { readonly models: readonly { readonly id: string; readonly name: string }[] }) {
  const { modelPage } = useEntryMessages();
  const [chosen, setChosen] = useState(models[0]?.id ?? '');
  const model = models.find(({ id }) => id === chosen) ?? models[0];
  const check = useMutation({ mutationFn: (id: string) => checkModel(parlance, id) });
  if (!model) return null;
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={modelPage.model}
          value={model.id}
          onChange={(id) => {
            setChosen(id);
            check.reset();
          }}
          options={models}
          className="min-w-56"
        />
        <Button look="primary" isPending={check.isPending} onPress={() => check.mutate(model.id)}>
          {modelPage.check}
        </Button>
      </div>
      {check.isError && <ErrorNote title={modelPage.fails(model.name)} error={check.error} />}
      <div role="status">
        {check.isSuccess && (
          <div className="flex flex-wrap items-center gap-3 rounded-md border border-ok p-3 text-sm">
            <p className="min-w-0 grow font-medium">{modelPage.works(model.name, formatSeconds(check.data / 1_000))}</p>
            <LinkButton href={`/?${new URLSearchParams({ model: model.id })}`}>{modelPage.startChat}</LinkButton>
          </div>
        )}
      </div>
    </>
  );
}
