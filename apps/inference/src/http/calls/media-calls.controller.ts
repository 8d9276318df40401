import { applyDecorators, HttpCode, Post, Req, Res } from '@nestjs/common';
import { BodyBytes, BodyLimit, Caller, LongAnswer, type ReceivedBytes, TakesBytes } from '@parlance/http';
import { Answers, Summary, Takes } from '@parlance/openapi';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { modelCaller, speechCaller } from '../../workflows/calls/allowed-models.ts';
import { CallAnswers } from './call-answers.ts';
import { AnswersCalls, CallsModel, FORM_REQUEST, ModelApi, RefusesCalls } from './call-routes.ts';

/** Bytes of a form with audio. OpenAI accepts 25 MiB of it. */
const MAX_FORM_BYTES = 26 * 1024 * 1024;

const AnswersWithAudio = (): MethodDecorator =>
  applyDecorators(
    Answers(200, { type: 'string', format: 'binary' }, { mediaType: 'audio/*' }),
    Answers(200, { type: 'string' }, { mediaType: 'text/event-stream' }),
    RefusesCalls(),
  );

/** Calls of models that make images and speech, and that hear it: for programs with a token, and speech also for people with a session. */
@ModelApi('v1')
export class MediaCallsController {
  constructor(private readonly answers: CallAnswers) {}

  @CallsModel('images/generations', "Make images in OpenAI's format. The request reaches the provider unchanged.")
  async images(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('images/generations', modelCaller(caller), bytes, request.raw, reply);
  }

  @CallsModel(
    'audio/speech',
    "Speak a text in OpenAI's format. The request reaches the provider unchanged, and the audio is passed on as it comes. A session may call this too.",
    AnswersWithAudio(),
  )
  async speak(@Caller() caller: Caller, @BodyBytes() { bytes }: ReceivedBytes, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    await this.answers.answer('audio/speech', speechCaller(caller), bytes, request.raw, reply);
  }

  @Post('audio/transcriptions')
  @HttpCode(200)
  @TakesBytes('multipart/form-data')
  @BodyLimit(MAX_FORM_BYTES)
  @LongAnswer()
  @Answers(200, { type: 'string' }, { mediaType: 'text/plain' })
  @Summary(
    "Write down what is spoken in a file of up to 25 MiB, in OpenAI's format. The form reaches the provider unchanged. A session may call this too.",
  )
  @Takes(FORM_REQUEST, 'multipart/form-data')
  @AnswersCalls()
  async transcribe(
    @Caller() caller: Caller,
    @BodyBytes() { bytes }: ReceivedBytes,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ) {
    await this.answers.answer('audio/transcriptions', speechCaller(caller), bytes, request.raw, reply);
  }
}
