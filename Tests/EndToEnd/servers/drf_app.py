"""Django REST Framework with each of its paginators, and those of JSON:API, over 23 rows: `python drf_app.py PORT`."""

import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="x",
    ROOT_URLCONF=__name__,
    ALLOWED_HOSTS=["127.0.0.1"],
    INSTALLED_APPS=["django.contrib.contenttypes", "rest_framework", "rest_framework_json_api"],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    REST_FRAMEWORK={
        "UNAUTHENTICATED_USER": None,
        "DEFAULT_AUTHENTICATION_CLASSES": [],
        "DEFAULT_THROTTLE_RATES": {"anon": "2/min"},
    },
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import generics, pagination, serializers, throttling  # noqa: E402
from rest_framework.response import Response  # noqa: E402
from rest_framework_json_api import pagination as json_api_pagination  # noqa: E402
from rest_framework_json_api import renderers as json_api_renderers  # noqa: E402
from rest_framework_json_api import serializers as json_api_serializers  # noqa: E402


class Item(models.Model):
    name = models.CharField(max_length=50)
    created = models.IntegerField(default=0)

    class Meta:
        app_label = "contenttypes"
        db_table = "item"


class ItemSerializer(serializers.ModelSerializer):
    class Meta:
        model = Item
        fields = ["id", "name", "created"]


class Pages(pagination.PageNumberPagination):
    page_size = 3
    page_size_query_param = "page_size"


class Offsets(pagination.LimitOffsetPagination):
    default_limit = 3


class Cursors(pagination.CursorPagination):
    page_size = 3
    # Not unique: the cursors hold offsets inside of ties.
    ordering = "created"
    page_size_query_param = "page_size"


class Links(Pages):
    def get_paginated_response(self, data):
        links = [(self.get_next_link(), "next"), (self.get_previous_link(), "prev")]
        value = ", ".join('<%s>; rel="%s"' % (url, rel) for url, rel in links if url)
        return Response(data, headers=dict({"X-Total-Count": self.page.paginator.count}, **({"Link": value} if value else {})))


class ResourceSerializer(json_api_serializers.ModelSerializer):
    class Meta:
        model = Item
        fields = ["name", "created"]


class NumberedResources(json_api_pagination.JsonApiPageNumberPagination):
    page_size = 3


class CountedResources(json_api_pagination.JsonApiLimitOffsetPagination):
    default_limit = 3


class Quick(throttling.AnonRateThrottle):
    scope = "quick"
    rate = "4/s"


def view(paginator, **members):
    members = dict({"serializer_class": ItemSerializer}, **members)
    members.update(queryset=Item.objects.order_by("id"), pagination_class=paginator)
    return type("View", (generics.ListAPIView,), members).as_view()


def json_api_view(paginator):
    return view(
        paginator,
        serializer_class=ResourceSerializer,
        renderer_classes=[json_api_renderers.JSONRenderer],
        resource_name="items",
    )


urlpatterns = [
    path("page/", view(Pages)),
    path("offset/", view(Offsets)),
    path("cursor/", view(Cursors)),
    path("link/", view(Links)),
    path("throttled/", view(Pages, throttle_classes=[throttling.AnonRateThrottle])),
    path("quick/", view(Pages, throttle_classes=[Quick])),
    path("json-api/page/", json_api_view(NumberedResources)),
    path("json-api/offset/", json_api_view(CountedResources)),
]


class QuietHandler(WSGIRequestHandler):
    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    with connection.schema_editor() as editor:
        editor.create_model(Item)
    Item.objects.bulk_create([Item(name="n%d" % number, created=number // 5) for number in range(1, 24)])
    # One thread, which is the one that has the database in memory.
    make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application(), handler_class=QuietHandler).serve_forever()
