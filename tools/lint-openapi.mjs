// Lints a document with two common OpenAPI linters, redocly and spectral, with their recommended rules.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** Spectral's severity for an error. Warnings are ignored: they ask for descriptions beside summaries, and for a contact. */
const ERROR = 0;

/** The errors, one line each. */
export async function lintErrors(name, document) {
  const text = JSON.stringify(document);
  const config = await createConfig({ extends: ['recommended'] });
  const redocly = await lintFromString({ source: text, absoluteRef: `/${name}.json`, config });
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [rulesets.oas] });
  // A copy, because Spectral resolves the references in the object that it gets.
  const found = await spectral.run(JSON.parse(text));
  return [
    ...redocly
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, message, location: [at] }) => `${name}: redocly ${ruleId}: ${message} (${at?.pointer ?? '#'})`),
    ...found
      .filter(({ severity }) => severity === ERROR)
      .map(({ code, message, path }) => `${name}: spectral ${code}: ${message} (${path.join('/')})`),
  ];
}
