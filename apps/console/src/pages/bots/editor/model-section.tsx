import { useMessages } from '../../../messages/index.ts';
import { useConfig } from '../../../session/use-me.ts';
import { Checkbox, NumberField, Select, TextField } from '../../../ui/fields/index.ts';
import { Section } from '../../../ui/page.tsx';
import { ErrorNote } from '../../../ui/states.tsx';
import { GENERATION_NUMBERS, type GenerationNumber } from './draft.ts';
import { numberOrNull, type SectionProps } from './form.ts';

/** The options for the memory of users. */
const MEMORIES = { owner: null, everyone: true, nobody: false } as const;
type MemoryOption = keyof typeof MEMORIES;

/** The option for no model. */
const NONE = '-';

const BOUNDS: Record<GenerationNumber, { minValue: number; maxValue: number; step?: number }> = {
  max_tokens: { minValue: 1, maxValue: 1_000_000 },
  temperature: { minValue: 0, maxValue: 2, step: 0.001 },
  top_p: { minValue: 0, maxValue: 1, step: 0.001 },
  top_k: { minValue: 0, maxValue: 1_000 },
  reasoning_budget_tokens: { minValue: 0, maxValue: 1_000_000 },
};

interface Props extends SectionProps {
  readonly isOwner: boolean;
}

export function ModelSection({ draft, change, errors, isOwner }: Props) {
  const { settings } = useMessages().bots;
  const config = useConfig();
  // Available models come first.
  const models = (config.data?.global_available_models ?? []).toSorted((a, b) => Number(b.available) - Number(a.available));
  const { activeModels: active, defaultModel, generation } = draft;
  const nameOf = ({ name, available }: (typeof models)[number]) => (available ? name : settings.unavailable(name));
  // A model may be gone from the catalogue. The bot keeps it until it is removed here.
  const known = new Set(models.map(({ id }) => id));
  const all = [
    ...models.map((model) => ({ id: model.id, name: nameOf(model) })),
    ...[...new Set([...active, defaultModel])]
      .filter((id) => id !== '' && !known.has(id))
      .map((id) => ({ id, name: settings.unavailable(id) })),
  ];
  const labels: Record<GenerationNumber, string> = {
    max_tokens: settings.maxTokens,
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    reasoning_budget_tokens: settings.reasoningBudget,
  };
  return (
    <Section title={settings.models} description={settings.modelsText}>
      {config.error !== null && <ErrorNote error={config.error} />}
      <Select
        label={settings.defaultModel}
        value={defaultModel === '' ? NONE : defaultModel}
        onChange={(id) => change({ defaultModel: id === NONE ? '' : id })}
        options={[{ id: NONE, name: settings.noDefaultModel }, ...all]}
        error={errors['default_model']}
        className="max-w-md"
      />
      <fieldset className="flex flex-col">
        <legend className="text-xs font-medium">{settings.allowedModels}</legend>
        <p className="text-xs text-muted">{settings.allowedModelsHelp}</p>
        <div className="mt-1 grid max-h-60 grid-cols-2 gap-x-4 overflow-auto max-sm:grid-cols-1">
          {all.map(({ id, name }) => (
            <Checkbox
              key={id}
              isSelected={active.includes(id)}
              onChange={(isChosen) => change({ activeModels: isChosen ? [...active, id] : active.filter((each) => each !== id) })}
            >
              {name}
            </Checkbox>
          ))}
        </div>
        {errors['active_models'] !== undefined && <p className="text-xs text-bad">{errors['active_models']}</p>}
      </fieldset>
      <div className="grid grid-cols-3 items-end gap-3 max-sm:grid-cols-1">
        {GENERATION_NUMBERS.map((name) => (
          <NumberField
            key={name}
            label={labels[name]}
            {...BOUNDS[name]}
            value={generation[name] ?? Number.NaN}
            onChange={(value) => change({ generation: { ...generation, [name]: numberOrNull(value) } })}
            error={errors[`generation_params.${name}`]}
          />
        ))}
      </div>
      <TextField
        label={settings.stopSequences}
        help={settings.stopSequencesHelp}
        value={draft.stopSequences}
        onChange={(stopSequences) => change({ stopSequences })}
        error={errors['generation_params.stop_sequences']}
        rows={2}
      />
      <Checkbox isSelected={draft.promptCaching} onChange={(promptCaching) => change({ promptCaching })}>
        {settings.promptCaching}
      </Checkbox>
      {config.data?.user_memory === true && (
        <Select
          label={settings.memory}
          help={settings.memoryHelp}
          value={draft.memory === null ? 'owner' : draft.memory ? 'everyone' : 'nobody'}
          onChange={(id) => change({ memory: MEMORIES[id as MemoryOption] })}
          options={(Object.keys(MEMORIES) as MemoryOption[]).map((id) => ({ id, name: settings.memories[id] }))}
          error={errors['memory']}
          isDisabled={!isOwner}
          className="max-w-md"
        />
      )}
    </Section>
  );
}
