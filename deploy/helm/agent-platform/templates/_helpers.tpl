{{- define "agent-platform.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "agent-platform.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := include "agent-platform.name" . }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "agent-platform.selector" -}}
app.kubernetes.io/name: {{ include "agent-platform.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "agent-platform.labels" -}}
{{ include "agent-platform.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* What every object begins with. */}}
{{- define "agent-platform.metadata" -}}
name: {{ include "agent-platform.fullname" . }}
namespace: {{ .Release.Namespace }}
labels: {{- include "agent-platform.labels" . | nindent 2 }}
{{- end }}

{{- define "agent-platform.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "agent-platform.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- required "serviceAccount.name is required without serviceAccount.create" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "agent-platform.image" -}}
{{- with .Values.image }}
{{- if .digest }}
{{- printf "%s@%s" .repository .digest }}
{{- else }}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) }}
{{- end }}
{{- end }}
{{- end }}

{{/* A variable whose value is a key of a secret; nothing where none is named. */}}
{{- define "agent-platform.fromSecret" -}}
{{- with .from }}
- name: {{ $.name }}
  valueFrom:
    secretKeyRef: {{- toYaml . | nindent 6 }}
{{- end }}
{{- end }}
