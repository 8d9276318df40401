import { describe, expect, it } from '@jest/globals';
import { DEFAULT_PARAMETERS } from '@parlance/chat-models';
import { bytesOfTerms, instructionUnder, parametersUnder, termsOrNull } from './client-terms.ts';

describe('texts that a client sends with a message', () => {
  it('have the instruction of the bot before their own', () => {
    expect(instructionUnder('Be brief.', { instruction: 'Answer in French.' })).toBe('Be brief.\n\nAnswer in French.');
    expect(instructionUnder('', { instruction: 'Answer in French.' })).toBe('Answer in French.');
    expect(instructionUnder('Be brief.', {})).toBe('Be brief.');
  });

  it('add their stop sequences to those of the bot, each once', () => {
    const ofBot = { ...DEFAULT_PARAMETERS, stopSequences: ['END', '###'] };
    expect(parametersUnder(ofBot, { stopSequences: ['###', '---'] })).toEqual({ ...ofBot, stopSequences: ['END', '###', '---'] });
    expect(parametersUnder(ofBot, {})).toBe(ofBot);
  });

  it('are null if the client sends none, and otherwise only what it sends', () => {
    expect(termsOrNull({ instruction: '', turns: [], stopSequences: [] })).toBeNull();
    expect(termsOrNull({ instruction: 'Be kind.', turns: [] })).toEqual({ instruction: 'Be kind.' });
  });

  it('are counted in bytes of the prompt', () => {
    expect(bytesOfTerms({ instruction: 'é', turns: [{ role: 'user', text: 'abc' }], stopSequences: ['END'] })).toBe(5);
  });
});
