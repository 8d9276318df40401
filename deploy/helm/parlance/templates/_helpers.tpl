{{- define "parlance.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* A quoted value that is legal for a label: a version may contain "+", and a name may look like a number. */}}
{{- define "parlance.labelValue" -}}
{{- regexReplaceAll "[^-A-Za-z0-9_.]" (toString .) "_" | trunc 63 | trimAll "-_." | quote -}}
{{- end -}}

{{/* What selects the pods of a release; with a component, those of one service. Takes (root, component). It can never change: a Deployment's selector is immutable. */}}
{{- define "parlance.selector" -}}
app.kubernetes.io/name: {{ include "parlance.labelValue" .root.Chart.Name }}
app.kubernetes.io/instance: {{ include "parlance.labelValue" .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ include "parlance.labelValue" . }}
{{- end }}
{{- end -}}

{{- define "parlance.labels" -}}
{{ include "parlance.selector" . }}
app.kubernetes.io/version: {{ include "parlance.labelValue" .root.Chart.AppVersion }}
app.kubernetes.io/part-of: parlance
app.kubernetes.io/managed-by: {{ include "parlance.labelValue" .root.Release.Service }}
helm.sh/chart: {{ include "parlance.labelValue" (printf "%s-%s" .root.Chart.Name .root.Chart.Version) }}
{{- end -}}

{{- define "parlance.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ default (replace "+" "_" $.Chart.AppVersion) .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A service's settings over the defaults, as YAML. Takes (root, service). */}}
{{- define "parlance.settings" -}}
{{- mergeOverwrite (deepCopy .root.Values.defaults) (default dict .service) | toYaml -}}
{{- end -}}

{{- define "parlance.publicBaseUrl" -}}
{{- if .Values.publicBaseUrl -}}
{{ .Values.publicBaseUrl }}
{{- else if .Values.ingress.enabled -}}
{{ ternary "https" "http" (ne .Values.ingress.tlsSecret "") }}://{{ .Values.ingress.host }}
{{- else -}}
http://{{ include "parlance.fullname" . }}-edge:8080
{{- end -}}
{{- end -}}

{{/* A configuration key's variable. */}}
{{- define "parlance.variable" -}}
PARLANCE_{{ regexReplaceAll "([A-Z])" . "_${1}" | upper }}
{{- end -}}

{{/* A configuration key's value as its environment variable has it: lists by comma, text as it is, the rest as JSON. Kubernetes replaces $(NAME) and $$. */}}
{{- define "parlance.environmentValue" -}}
{{- if kindIs "slice" . -}}{{ join "," . | replace "$" "$$" | quote }}
{{- else if kindIs "string" . -}}{{ . | replace "$" "$$" | quote }}
{{- else -}}{{ toJson . | replace "$" "$$" | quote }}{{- end -}}
{{- end -}}

{{/* A pod's security context: what Pod Security "restricted" needs, and the identifiers of the values. */}}
{{- define "parlance.podSecurityContext" -}}
{{- mergeOverwrite (dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault")) (deepCopy (default dict .)) | toYaml -}}
{{- end -}}

{{- define "parlance.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* One rule of egress to a peer that may be left open. Takes (to, ports, protocols). */}}
{{- define "parlance.egressTo" -}}
- ports:
    {{- range $port := .ports }}
    {{- range $protocol := $.protocols }}
    - { port: {{ $port }}, protocol: {{ $protocol }} }
    {{- end }}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
