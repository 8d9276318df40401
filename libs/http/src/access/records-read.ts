import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { mergeMap, type Observable } from 'rxjs';
import { AuditRecorder } from './audit-recorder.ts';
import { actionOf, Audited } from './audited.ts';

/** Records a read before it is answered. If it cannot be recorded, the data are not shown. */
@Injectable()
class RecordsRead implements NestInterceptor {
  constructor(private readonly audit: AuditRecorder) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { audited } = request.routeOptions.config.policy!;
    const record = (answer: unknown) => this.audit.viewed(actionOf(audited!, request.params)).then(() => answer);
    return next.handle().pipe(mergeMap(record));
  }
}

/** For a route that shows other users' data to administrators. Reads and refusals are recorded before they are answered. */
export const AuditedRead = (action: string, resourceType: string, from?: string): MethodDecorator =>
  applyDecorators(Audited(action, resourceType, from), UseInterceptors(RecordsRead));
