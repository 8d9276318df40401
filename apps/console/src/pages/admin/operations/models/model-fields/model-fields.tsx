import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { Checkbox, NumberField, TextField } from '../../../../../ui/fields/index.ts';
import { COMMON_CAPABILITIES, type ModelDraft, type ModelProblem } from './model-draft.ts';

const TOKENS = { maximumFractionDigits: 0 } as const;

interface ModelFieldsProps {
  readonly draft: ModelDraft;
  readonly onChange: (part: Partial<ModelDraft>) => void;
  /** Problems that are shown at the fields. */
  readonly problems: ReadonlySet<ModelProblem>;
  readonly errorOf: (path: string) => string | undefined;
}

/** The name, the limits and the capabilities of a model. */
export function ModelFields({ draft, onChange, problems, errorOf }: ModelFieldsProps) {
  const { modelFields } = useAdminMessages().admin.operations;
  const shown = (problem: ModelProblem, text: string) => (problems.has(problem) ? text : undefined);
  const toggle = (word: string, isSelected: boolean) => {
    const capabilities = new Set(draft.capabilities);
    if (isSelected) capabilities.add(word);
    else capabilities.delete(word);
    onChange({ capabilities });
  };
  return (
    <>
      <TextField
        label={modelFields.name}
        help={modelFields.nameHelp}
        value={draft.name}
        onChange={(name) => onChange({ name })}
        error={errorOf('name') ?? shown('name', modelFields.nameMissing)}
      />
      <NumberField
        label={modelFields.contextWindow}
        help={modelFields.contextWindowHelp}
        value={draft.contextWindow}
        onChange={(contextWindow) => onChange({ contextWindow })}
        minValue={1}
        formatOptions={TOKENS}
        error={errorOf('context_window') ?? shown('contextWindow', modelFields.numberMissing)}
      />
      <NumberField
        label={modelFields.maxOutput}
        help={modelFields.maxOutputHelp}
        value={draft.maxOutput}
        onChange={(maxOutput) => onChange({ maxOutput })}
        minValue={1}
        formatOptions={TOKENS}
        error={errorOf('max_output_tokens') ?? shown('maxOutput', modelFields.numberMissing)}
      />
      <fieldset className="flex flex-col">
        <legend className="text-sm font-medium">{modelFields.capabilities}</legend>
        {COMMON_CAPABILITIES.map((word) => (
          <Checkbox key={word} isSelected={draft.capabilities.has(word)} onChange={(isSelected) => toggle(word, isSelected)}>
            {modelFields.capabilityNames[word]}
          </Checkbox>
        ))}
      </fieldset>
      <TextField
        label={modelFields.otherCapabilities}
        help={modelFields.otherCapabilitiesHelp}
        value={draft.others}
        onChange={(others) => onChange({ others })}
        error={errorOf('capabilities') ?? shown('others', modelFields.otherInvalid)}
      />
    </>
  );
}
