"""The OpenAPI document of the HTTP API, generated from the descriptors of the .proto files."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from arena.pages.api_methods import EVENTS, PREFIX, READS, ReadMethod

TITLE: Final = "Caravan Arena"

_TIMESTAMP: Final = "google.protobuf.Timestamp"
_LARGE: Final = {"type": "string", "pattern": "^-?[0-9]+$"}
"""JSON has numbers of 64 bits as text, since its own are not precise enough."""
_SIMPLE: Final = {
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number"},
    FieldDescriptor.TYPE_FLOAT: {"type": "number"},
    FieldDescriptor.TYPE_INT64: _LARGE,
    FieldDescriptor.TYPE_UINT64: _LARGE,
    FieldDescriptor.TYPE_SINT64: _LARGE,
    FieldDescriptor.TYPE_BYTES: {"type": "string", "contentEncoding": "base64"},
}
_WHOLE: Final = {
    FieldDescriptor.TYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_SFIXED32: (-(2**31), 2**31 - 1),
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_FIXED32: (0, 2**32 - 1),
}

_REFUSALS: Final = {
    "400": "A parameter is wrong; `error.field` names it.",
    "401": "A token is needed, or this one is not valid.",
    "403": "The token does not allow this.",
    "404": "There is no such resource.",
    "409": "Not possible in the present state, for example of a sealed log.",
    "410": "It was there, and is not any more.",
    "429": "Too many calls with this token.",
    "503": "The arena does not answer, or too many requests wait. Try again.",
}


@cache
def openapi_document() -> dict[str, Any]:
    """Return the document, OpenAPI 3.1."""
    schemas: dict[str, Any] = {"Error": _ERROR}
    paths = {f"{PREFIX}{method.path}": {"get": _operation(method, schemas)} for method in READS}
    paths[f"{PREFIX}{EVENTS.path}"] = {"get": _events_operation(schemas)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": TITLE,
            "version": PREFIX.strip("/"),
            "description": "Everything that can be read of an arena. The fields are those of the .proto files.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


_ERROR: Final = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "status": {"type": "integer"},
                "reason": {"type": "string", "description": "Of docs/errors.md, or empty."},
                "message": {"type": "string"},
                "field": {"type": "string"},
            },
            "required": ["status", "reason", "message", "field"],
        }
    },
    "required": ["error"],
}


def _operation(method: ReadMethod, schemas: dict[str, Any]) -> dict[str, Any]:
    _add_schemas(method.descriptor.output_type, schemas)
    reference = {"$ref": f"#/components/schemas/{_name(method.descriptor.output_type)}"}
    return _described(method, {"application/json": {"schema": reference}}) | {
        "parameters": list(_parameters(method, schemas))
    }


def _events_operation(schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the feed: lines of JSON, each with the cursor after it."""
    content = {"application/x-ndjson": {"schema": {"type": "string"}}}
    return _described(EVENTS, content) | {"parameters": list(_parameters(EVENTS, schemas))}


def _described(method: ReadMethod, content: dict[str, Any]) -> dict[str, Any]:
    refusal = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    responses: dict[str, Any] = {
        status: {"description": words, "content": refusal} for status, words in _REFUSALS.items()
    }
    return {
        "operationId": method.path.strip("/").replace("/", "_").replace("{", "").replace("}", ""),
        "summary": f"{method.descriptor.containing_service.name}.{method.method}",
        "security": [{"token": []}] if not method.is_public else [{}, {"token": []}],
        "responses": {
            "200": {"description": _name(method.descriptor.output_type), "content": content},
            "304": {"description": "The reader has it: its ETag was in If-None-Match."},
            **responses,
        },
    }


def _parameters(method: ReadMethod, schemas: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for part in ("id", "number"):
        if f"{{{part}}}" in method.path:
            yield {"name": part, "in": "path", "required": True, "schema": {"type": "string"}}
    for field in method.parameters:
        yield {"name": field.name, "in": "query", "schema": _schema(field, schemas)}


def _name(message: Descriptor) -> str:
    """Return the name of a schema: two games may have messages of one name."""
    return str(message.full_name).removeprefix("arena.v1.").removeprefix("arena.")


def _add_schemas(message: Descriptor, schemas: dict[str, Any]) -> None:
    """Add the schema of a message, and of those within it."""
    if _name(message) in schemas:
        return
    schemas[_name(message)] = {}  # it may hold itself
    schemas[_name(message)] = {
        "type": "object",
        "properties": {field.name: _schema(field, schemas) for field in message.fields},
    }


def _schema(field: FieldDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        value = _schema(field.message_type.fields_by_name["value"], schemas)
        return {"type": "object", "additionalProperties": value}
    one = _one(field, schemas)
    return {"type": "array", "items": one} if field.is_repeated else one


def _one(field: FieldDescriptor, schemas: dict[str, Any]) -> dict[str, Any]:
    if field.message_type is not None:
        if field.message_type.full_name == _TIMESTAMP:
            return {"type": "string", "format": "date-time"}
        _add_schemas(field.message_type, schemas)
        return {"$ref": f"#/components/schemas/{_name(field.message_type)}"}
    if field.enum_type is not None:
        return {"type": "string", "enum": [value.name for value in field.enum_type.values]}
    if field.type in _WHOLE:
        least, most = _WHOLE[field.type]
        return {"type": "integer", "minimum": least, "maximum": most}
    return dict(_SIMPLE.get(field.type, {"type": "string"}))
