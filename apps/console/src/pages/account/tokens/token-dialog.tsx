import type { CreatedPersonalToken, CreateTokenBody } from '@parlance/client/types';
import { useState } from 'react';
import { CheckboxGroup, Label } from 'react-aria-components';
import { useAccountMessages } from '../../../messages/account-messages.ts';
import { useMessages } from '../../../messages/index.ts';
import { isAdmin, useMe } from '../../../session/use-me.ts';
import { unmasked } from '../../../session/masked-secrets.ts';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { SecretDialog } from '../../../ui/dialogs/secret-dialog.tsx';
import { Below, label, marked } from '../../../ui/fields/field-parts.tsx';
import { Checkbox, TextField } from '../../../ui/fields/index.ts';
import { TermsFields } from './terms-fields.tsx';
import { bodyOf, MODELS_SCOPE, NEW_TOKEN, type Scope, scopesFor, type TokenFields } from './token-form.ts';

interface TokenDialogProps {
  /** Sends the request for a token of the user, or of a service account. */
  readonly make: (body: CreateTokenBody) => Promise<CreatedPersonalToken>;
  readonly onClose: () => void;
  readonly onCreated: () => void;
  /** The permissions that are chosen at first. */
  readonly atFirst?: readonly Scope[];
}

/** Creates a token, and shows it once. */
export function TokenDialog({ make, onClose, onCreated, atFirst = [] }: TokenDialogProps) {
  const { tokens: texts } = useAccountMessages();
  const { common } = useMessages();
  const [fields, setFields] = useState<TokenFields>({ ...NEW_TOKEN, scopes: atFirst });
  const [secret, setSecret] = useState<string | null>(null);
  const create = async () => {
    if (lacksScope) return;
    const { token } = await make(bodyOf(fields));
    onCreated();
    setSecret(unmasked(token));
  };
  const change = (changed: Partial<TokenFields>) => setFields({ ...fields, ...changed });
  const lacksScope = fields.scopes.length === 0;

  if (secret !== null)
    return (
      <SecretDialog
        title={texts.secretTitle}
        text={texts.secretText}
        label={texts.secretLabel}
        secret={secret}
        doneLabel={texts.done}
        onClose={onClose}
      />
    );
  return (
    <FormDialog title={texts.createTitle} onClose={onClose} submitLabel={common.create} onSubmit={create}>
      {({ errorOf, isChecked }) => (
        <>
          <TextField
            label={texts.description}
            help={texts.descriptionHelp}
            value={fields.description}
            onChange={(description) => change({ description })}
            error={errorOf('description')}
            maxLength={200}
            isRequired
            autoFocus
            autoComplete="off"
          />
          <Scopes
            value={fields.scopes}
            onChange={(scopes) => change({ scopes })}
            error={errorOf('scopes') ?? (isChecked && lacksScope ? texts.scopesMissing : undefined)}
          />
          {fields.scopes.includes(MODELS_SCOPE) && (
            <TermsFields terms={fields.terms} onChange={(terms) => change({ terms })} errorOf={errorOf} />
          )}
          <TextField
            label={texts.expires}
            help={texts.expiresHelp}
            type="datetime-local"
            value={fields.expires}
            onChange={(expires) => change({ expires })}
            error={errorOf('expires_at')}
          />
          <TextField
            label={texts.ranges}
            help={texts.rangesHelp}
            value={fields.ranges}
            onChange={(ranges) => change({ ranges })}
            error={errorOf('allowed_ip_ranges')}
            rows={2}
          />
        </>
      )}
    </FormDialog>
  );
}

interface ScopesProps {
  readonly value: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
  readonly error: string | undefined;
}

function Scopes({ value, onChange, error }: ScopesProps) {
  const { tokens: texts } = useAccountMessages();
  const me = useMe();
  return (
    <CheckboxGroup value={[...value]} onChange={onChange} {...marked(error)} className="flex flex-col gap-0.5">
      <Label className={label}>{texts.scopes}</Label>
      {scopesFor(isAdmin(me)).map((scope) => (
        <Checkbox key={scope} value={scope}>
          {texts.scopeTexts[scope]} <span className="font-mono text-xs text-muted">{scope}</span>
        </Checkbox>
      ))}
      <Below help={texts.scopesHelp} error={error} />
    </CheckboxGroup>
  );
}
