import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { TextField } from '../../../../../ui/fields/index.ts';
import type { DraftProblem, ProviderDraft } from './provider-draft.ts';

interface ProviderFieldsProps {
  readonly draft: ProviderDraft;
  readonly onChange: (part: Partial<ProviderDraft>) => void;
  /** Problems that are shown at the fields. */
  readonly problems: ReadonlySet<DraftProblem>;
  readonly errorOf: (path: string) => string | undefined;
  /** Whether the provider exists: its ID is fixed, and its credentials are kept unless new ones are entered. */
  readonly isStored: boolean;
}

/** The address and the credentials of a provider. */
export function ProviderFields({ draft, onChange, problems, errorOf, isStored }: ProviderFieldsProps) {
  const { providers } = useAdminMessages().admin.operations;
  const { type } = draft;
  const isCompatible = type === 'openai_compatible';
  const shown = (problem: DraftProblem, text: string) => (problems.has(problem) ? text : undefined);
  const secret = { type: 'password', autoComplete: 'off' } as const;
  const keyProblem =
    shown('apiKey', providers.apiKeyMissing) ??
    shown('credentials', providers.bedrockMissing) ??
    shown('credentialsForAddress', providers.neededForAddress);
  // Only a proxy of a known provider has an address of its own, so it comes last there.
  const address = (
    <TextField
      label={providers.baseUrl}
      help={isCompatible ? providers.baseUrlHelp : providers.baseUrlOptionalHelp}
      placeholder={isCompatible ? 'https://models.example.org/v1' : ''}
      type="url"
      value={draft.baseUrl}
      onChange={(baseUrl) => onChange({ baseUrl })}
      error={errorOf('base_url') ?? shown('baseUrl', providers.baseUrlInvalid)}
    />
  );
  return (
    <>
      {!isStored && (
        <TextField
          label={providers.id}
          help={providers.idHelp}
          value={draft.id}
          onChange={(id) => onChange({ id })}
          error={errorOf('id') ?? shown('id', providers.idInvalid) ?? shown('idTaken', providers.idTaken)}
        />
      )}
      {type === 'bedrock' && (
        <TextField
          label={providers.region}
          help={providers.regionHelp}
          value={draft.region}
          onChange={(region) => onChange({ region })}
          error={errorOf('region') ?? shown('region', providers.regionMissing)}
        />
      )}
      {isCompatible && address}
      <TextField
        {...secret}
        label={providers.apiKey}
        help={isStored ? providers.keepCredentials : isCompatible ? providers.apiKeyOptionalHelp : providers.credentialsHelp}
        value={draft.apiKey}
        onChange={(apiKey) => onChange({ apiKey })}
        error={errorOf('api_key') ?? keyProblem}
      />
      {type === 'bedrock' && (
        <>
          <TextField
            label={providers.accessKey}
            autoComplete="off"
            value={draft.accessKeyId}
            onChange={(accessKeyId) => onChange({ accessKeyId })}
            error={errorOf('access_key_id')}
          />
          <TextField
            {...secret}
            label={providers.secretAccessKey}
            value={draft.secretAccessKey}
            onChange={(secretAccessKey) => onChange({ secretAccessKey })}
            error={errorOf('secret_access_key')}
          />
        </>
      )}
      {!isCompatible && address}
    </>
  );
}
